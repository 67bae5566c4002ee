import { createHash } from 'node:crypto';

/** Something that outlives a request, as text: a log, a table, what Redis holds. */
export interface Place {
  name: string;
  text: string;
}

export interface Secret {
  /** What it is, for whoever reads that it was found; the value itself is never told. */
  kind: string;
  value: string;
  /** The one place that is meant to tell it. */
  allowedIn?: string;
}

export interface Leak {
  place: string;
  kind: string;
  /** How it was written there. */
  form: string;
}

/** Where any of the secrets stands, in whatever writing. Each secret is told once for each place. */
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
 * 256 random bits are this long, and a hash of them tells nothing. What is shorter can be guessed: who
 * tries all numbers there are reads a hash without a key as well.
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
 * Six digits stand in many numbers, times and hashes. A code is meant where they stand alone: after no
 * letter, digit or decimal point and before none.
 */
function asWord(code: string): Writing {
  const alone = new RegExp(`(?<![\\w.+/-])${code}(?![\\w+/-]|\\.\\d)`);
  return { form: 'plain', isIn: ({ text }) => alone.test(text) };
}

/** As a part of longer text it is written in one of three ways, with other neighbours at its ends. */
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

/** Letters of other scripts, as some write them in JSON. */
function escaped(value: string): string {
  return JSON.stringify(value)
    .slice(1, -1)
    .replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function distinct(leaks: readonly Leak[]): Leak[] {
  const byText = new Map(leaks.map((leak) => [JSON.stringify(leak), leak]));
  return [...byText.values()];
}
