import { createHash } from 'node:crypto';

/** Stored data as text: a log, a table or the content of Redis. */
export interface Place {
  name: string;
  text: string;
}

export interface Secret {
  /** A description for the report, which never contains the value itself. */
  kind: string;
  value: string;
  /** The only place that may contain it. */
  allowedIn?: string;
}

export interface Leak {
  place: string;
  kind: string;
  /** The encoding in which it was found. */
  form: string;
}

/** Finds secrets in any encoding. Each secret is reported once per place. */
export function findLeaks(places: readonly Place[], secrets: readonly Secret[]): Leak[] {
  const wanted = secrets.map((secret) => ({ ...secret, forms: formsOf(secret.value) }));
  const leaks = places.flatMap(({ name, text }) => {
    const lowerCase = text.toLowerCase();
    return wanted
      .filter(({ allowedIn }) => allowedIn !== name)
      .flatMap(({ kind, forms }) => {
        const found = forms.find(({ isIn }) => isIn({ text, lowerCase }));
        return found === undefined ? [] : [{ place: name, kind, form: found.form }];
      });
  });
  return distinct(leaks);
}

/**
 * The length of 256 random bits, whose hash reveals nothing. Shorter values can be guessed, so an
 * unkeyed hash of them is a leak.
 */
const randomLengthMin = 43;

interface Writing {
  form: string;
  isIn(written: { text: string; lowerCase: string }): boolean;
}

function formsOf(value: string): Writing[] {
  const bytes = Buffer.from(value);
  const hash = createHash('sha256').update(value).digest();
  const exact = (form: string, texts: readonly string[]): Writing[] =>
    texts.map((wanted) => ({ form, isIn: ({ text }) => text.includes(wanted) }));
  const inAnyCase = (form: string, wanted: string): Writing => ({
    form,
    isIn: ({ lowerCase }) => lowerCase.includes(wanted.toLowerCase()),
  });
  return [
    isCode(value) ? asWord(value) : inAnyCase('plain', value),
    ...(encodeURIComponent(value) === value
      ? []
      : [inAnyCase('url', encodeURIComponent(value)), ...exact('json', [escaped(value)])]),
    inAnyCase('hex', bytes.toString('hex')),
    ...exact('base64', base64Of(bytes)),
    ...(value.length < randomLengthMin
      ? [
          inAnyCase('sha256', hash.toString('hex')),
          ...exact('sha256', [hash.toString('base64').slice(0, -1), hash.toString('base64url')]),
        ]
      : []),
  ];
}

const isCode = (value: string) => /^\d{6}$/.test(value);

/**
 * Six digits occur in many numbers, times and hashes. They count as a code only without an adjacent
 * letter, digit or decimal point.
 */
function asWord(code: string): Writing {
  const alone = new RegExp(`(?<![\\w.+/-])${code}(?![\\w+/-]|\\.\\d)`);
  return { form: 'plain', isIn: ({ text }) => alone.test(text) };
}

/**
 * The three forms of a value within longer base64 text, without the characters that depend on its
 * neighbours.
 */
function base64Of(bytes: Buffer): string[] {
  const writings = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const own = text.slice(first, last);
    return [own, own.replaceAll('-', '+').replaceAll('_', '/')];
  });
  return [...new Set(writings)];
}

/** With non-ASCII characters as JSON escapes. */
function escaped(value: string): string {
  return JSON.stringify(value)
    .slice(1, -1)
    .replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function distinct(leaks: readonly Leak[]): Leak[] {
  const byText = new Map(leaks.map((leak) => [JSON.stringify(leak), leak]));
  return [...byText.values()];
}
