import { fallbackLocale } from '@pointgate/contract/locales.ts';
import i18next, { type ReadCallback } from 'i18next';
import HttpBackend from 'i18next-http-backend';
import type shell from '../../../public/locales/en-US/shell.json';

// The texts of a language are split into namespaces: `shell` for the first pages, which is always
// loaded, and one for each group of other pages. English is bundled with the pages, so that a
// failed download still shows text. The other languages are fetched.

const english = {
  orders: async () => (await import('../../../public/locales/en-US/orders.json')).default,
  account: async () => (await import('../../../public/locales/en-US/account.json')).default,
};

export type PageWords = keyof typeof english;
type WordsOf<Part extends PageWords> = Awaited<ReturnType<(typeof english)[Part]>>;

declare module 'i18next' {
  interface CustomTypeOptions {
    // Texts are looked up by key alone, in all namespaces.
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
 * Resolves when these texts are loaded in the current language, or at least in English. From then
 * on they are loaded for every language that the player changes to.
 */
export async function loadWords(parts: readonly PageWords[]): Promise<void> {
  await i18next.loadNamespaces(parts);
  const missing = parts.find((part) => !i18next.hasResourceBundle(fallbackLocale, part));
  if (missing !== undefined) throw new Error(`The texts of ${missing} could not be loaded.`);
}
