import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ShownText } from '../screens/inspection.ts';

/** All texts of a language, by key. */
export type Words = ReadonlyMap<string, string>;

type Tree = { [key: string]: string | Tree };
const Tree: z.ZodType<Tree> = z.record(
  z.string(),
  z.lazy(() => z.union([z.string(), Tree])),
);

export async function wordsOf(locale: string): Promise<Words> {
  const file = new URL(`../../portal/public/locales/${locale}.json`, import.meta.url);
  return new Map(flatten(Tree.parse(JSON.parse(await readFile(file, 'utf8')))));
}

function flatten(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [[path + name, inner]] : flatten(inner, `${path}${name}.`),
  );
}

/** Says what of a page is not in its language: the name of a text in place of it, or English. */
export function openJudge(english: Words, translated: Words) {
  const isKey = keyTest(english);
  const ownTexts = new Set(translated.values());
  const plain = new Map<string, string>();
  const filled: { key: string; ours: RegExp; theirs: RegExp }[] = [];
  for (const [key, text] of english) {
    const translation = translated.get(key);
    if (translation === undefined || translation === text) continue;
    if (!text.includes('{{')) plain.set(text, key);
    else if (lettersOf(text) >= lettersMin) {
      filled.push({ key, ours: patternOf(text), theirs: patternOf(translation) });
    }
  }
  const keyOf = (text: string) =>
    plain.get(text) ??
    filled.find(({ ours, theirs }) => ours.test(text) && !theirs.test(text))?.key;

  return (shown: ShownText[], inEnglish: ReadonlySet<string>, locale: string): string[] => {
    const texts = new Set(shown.flatMap((one) => (one.language === locale ? [one.text] : [])));
    return [...texts].flatMap((text) => {
      if (isKey(text)) return [`the name of a text stands in its place: ${text}`];
      if (ownTexts.has(text)) return [];
      const key = keyOf(text);
      if (key !== undefined) return [`English is left behind, of ${key}: ${text}`];
      return inEnglish.has(text) && isSentence(text) ? [`only in English: ${text}`] : [];
    });
  };
}

function keyTest(english: Words): (text: string) => boolean {
  const sections = new Set([...english.keys()].map((key) => key.split('.')[0] ?? ''));
  return (text) => /^\w+(\.\w+)+$/.test(text) && sections.has(text.split('.')[0] ?? '');
}

// Fewer letters could be part of anything.
const lettersMin = 8;

function lettersOf(template: string): number {
  return template.replaceAll(/\{\{.*?\}\}|[^a-z]/gi, '').length;
}

function patternOf(template: string): RegExp {
  const parts = template
    .split(/\{\{.*?\}\}/)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 's');
}

/** Four words or more. Names of people, servers and countries are shorter. */
function isSentence(text: string): boolean {
  return text.split(/\s+/).filter((word) => /^[a-z]{2,}/i.test(word)).length >= 4;
}
