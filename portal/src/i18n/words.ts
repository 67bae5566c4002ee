import { fallbackLocale } from '@pointgate/contract/locales.ts';
import i18next, { type ReadCallback } from 'i18next';
import HttpBackend from 'i18next-http-backend';
import type shell from '../../public/locales/en-US/shell.json';

// The words of a language lie in parts: those of the first pages in `shell`, which is always there, and
// those of other pages in parts of their own. English is bundled, part by part, so that a failed download
// still shows text. The other languages are fetched.

const english = {
  orders: async () => (await import('../../public/locales/en-US/orders.json')).default,
  account: async () => (await import('../../public/locales/en-US/account.json')).default,
};

export type PageWords = keyof typeof english;
type WordsOf<Part extends PageWords> = Awaited<ReturnType<(typeof english)[Part]>>;

declare module 'i18next' {
  interface CustomTypeOptions {
    // In whichever part a text is, it is asked for by its name alone.
    resources: { translation: typeof shell & WordsOf<'orders'> & WordsOf<'account'> };
  }
}

export const pageWords = ['orders', 'account'] as const satisfies PageWords[];

/** Reads English from the bundle and all other languages from the server. */
export class WordsBackend extends HttpBackend {
  override read(language: string, part: string, callback: ReadCallback): void {
    const wanted = pageWords.find((each) => each === part);
    if (language !== fallbackLocale || wanted === undefined) {
      super.read(language, part, callback);
      return;
    }
    english[wanted]().then(
      (words) => callback(null, words),
      (error: Error) => callback(error, false),
    );
  }
}

/**
 * Resolves when these words are there, in the language of the moment or at least in English. From then
 * on they come in every language that the player changes to.
 */
export async function loadWords(parts: readonly PageWords[]): Promise<void> {
  await i18next.loadNamespaces(parts);
  const missing = parts.find((part) => !i18next.hasResourceBundle(fallbackLocale, part));
  if (missing !== undefined) throw new Error(`The words of ${missing} did not arrive.`);
}
