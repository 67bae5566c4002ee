import { fallbackLocale, type Locale, locales, toLocale } from '@pointgate/contract/locales.ts';
import i18next from 'i18next';
import LanguageDetector from 'i18next-browser-languagedetector';
import { initReactI18next } from 'react-i18next';
import shell from '../../../public/locales/en-US/shell.json';
import { identifyCaller } from '../api/client.ts';
import { pageWords, WordsBackend } from './words.ts';

const storageKey = 'i18nextLng';

/** Resolves when the language of the player is detected and its texts are loaded. */
export async function startI18n(offered: readonly Locale[]): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
    identifyCaller({ locale: language });
  });
  followOtherWindows();
  await i18next
    .use(WordsBackend)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      supportedLngs: [...new Set([...offered, fallbackLocale])],
      fallbackLng: fallbackLocale,
      load: 'currentOnly',
      partialBundledLanguages: true,
      resources: { [fallbackLocale]: { shell } },
      ns: 'shell',
      defaultNS: 'shell',
      // Texts are looked up by key alone, in all namespaces.
      fallbackNS: [...pageWords],
      backend: { loadPath: '/locales/{{lng}}/{{ns}}.json' },
      maxRetries: 2,
      detection: {
        order: ['querystring', 'cookie', 'localStorage', 'sessionStorage', 'navigator', 'htmlTag'],
        lookupQuerystring: 'lng',
        lookupLocalStorage: storageKey,
        caches: ['localStorage'],
        convertDetectedLanguage: toOffered,
      },
      interpolation: { escapeValue: false }, // React escapes.
    });
}

/** Applies a language chosen in another window to this window. */
function followOtherWindows(): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && newValue !== null) void i18next.changeLanguage(toOffered(newValue));
  });
}

/** The language in use, as one of ours. */
export function currentLocale(): Locale {
  return toLocale(i18next.resolvedLanguage ?? fallbackLocale);
}

/**
 * An unsupported tag is returned unchanged and skipped by the detector, so that a browser that
 * prefers French and then German gets German, not English.
 */
function toOffered(tag: string): string {
  const locale = toLocale(tag);
  const isKnown = locales.some((known) => known.slice(0, 2) === tag.slice(0, 2).toLowerCase());
  return isKnown ? locale : tag;
}
