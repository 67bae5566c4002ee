import type { ShownText } from '../screens/inspection.ts';
import type { Words } from '../words.ts';

interface Language {
  english: Words;
  translated: Words;
  locale: string;
}

/** Finds texts of a page that are not in its language: raw text keys and untranslated English. */
export function openTranslationCheck({ english, translated, locale }: Language) {
  const isKey = keyTest(english);
  const ownTexts = new Set<string>();
  const plain = new Map<string, string>();
  const filled: { key: string; ours: RegExp; theirs: RegExp | undefined }[] = [];
  for (const [key, text] of english) {
    const translation = translated.get(key);
    if (translation !== undefined && !isForgotten({ text, translation, locale })) {
      ownTexts.add(translation);
      if (translation === text) continue;
    }
    if (!text.includes('{{')) plain.set(text, key);
    else if (lettersOf(text) >= lettersMin) {
      const theirs = translation === undefined ? undefined : patternOf(translation);
      filled.push({ key, ours: patternOf(text), theirs });
    }
  }
  const keyOf = (text: string) =>
    plain.get(text) ??
    filled.find(({ ours, theirs }) => ours.test(text) && !theirs?.test(text))?.key;

  /** `inEnglish` are the texts of the same screen in English. */
  return (shown: readonly ShownText[], inEnglish: ReadonlySet<string>): string[] => {
    const texts = new Set(shown.flatMap((one) => (one.language === locale ? [one.text] : [])));
    return [...texts].flatMap((text) => {
      if (isKey(text)) return [`the name of a text stands in its place: ${text}`];
      if (locale === 'en-US' || ownTexts.has(text)) return [];
      const key = keyOf(text);
      if (key !== undefined) return [`English is left behind, of ${key}: ${text}`];
      return inEnglish.has(text) && isSentence(text) ? [`only in English: ${text}`] : [];
    });
  };
}

// Names that are the same in every language.
const names = /E Points?|WeChat|Visa|Omni|\bOK\b/g;
const inLatinLetters = ['de-DE', 'vi-VN'];

/** A translation equal to its English text, in a language with another script. */
function isForgotten(given: { text: string; translation: string; locale: string }): boolean {
  const { text, translation, locale } = given;
  if (locale === 'en-US' || inLatinLetters.includes(locale) || translation !== text) return false;
  return /[a-z]{2}/i.test(text.replaceAll(/\{\{.*?\}\}/g, '').replaceAll(names, ''));
}

function keyTest(english: Words): (text: string) => boolean {
  const sections = new Set([...english.keys()].map((key) => key.split('.')[0] ?? ''));
  return (text) => /^\w+(\.\w+)+$/.test(text) && sections.has(text.split('.')[0] ?? '');
}

// A template with fewer letters could match unrelated texts.
const lettersMin = 6;

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
