import { errorCodes } from '@pointgate/contract/errors.ts';
import { type Locale, locales } from '@pointgate/contract/locales.ts';
import { beforeEach, expect, test, vi } from 'vitest';

const files = import.meta.glob<object>('../../../public/locales/*/*.json', {
  import: 'default',
  eager: true,
});

/** Loads the portal with fresh modules, in the browser state that the test has set up. */
async function start(offered: readonly Locale[] = locales) {
  vi.resetModules();
  const { startI18n, currentLocale } = await import('./i18n.ts');
  await startI18n(offered);
  const { default: i18next } = await import('i18next');
  return { i18next, currentLocale };
}

let requested: string[] = [];
beforeEach(() => {
  requested = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requested.push(path);
    return Response.json(files[`../../../public${path}`] ?? {});
  });
  window.history.replaceState(null, '', '/');
  givenCookie('i18next=; max-age=0');
  document.documentElement.lang = 'en-US';
  localStorage.clear();
  sessionStorage.clear();
  givenBrowserLanguages();
});

function givenCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no cookie store.
  document.cookie = cookie;
}

function givenBrowserLanguages(...languages: string[]): void {
  vi.stubGlobal('navigator', { languages, language: languages[0], userAgent: 'test' });
}

test('[S2.26] the query parameter lng in the URL selects the language of the portal', async () => {
  for (const locale of locales) {
    localStorage.clear();
    window.history.replaceState(null, '', `/login?lng=${locale}`);
    const { currentLocale } = await start();
    expect(currentLocale()).toBe(locale);
    expect(document.documentElement.lang).toBe(locale);
  }
});

test('[S4.21] the portal takes its language from lng, cookie, storages, browser, html, then English, and stores the result', async () => {
  const sources: [winner: Locale, give: () => void, takeAway: () => void][] = [
    [
      'ja-JP',
      () => window.history.replaceState(null, '', '/?lng=ja-JP'),
      () => window.history.replaceState(null, '', '/'),
    ],
    ['ko-KR', () => givenCookie('i18next=ko-KR'), () => givenCookie('i18next=; max-age=0')],
    ['th-TH', () => localStorage.setItem('i18nextLng', 'th-TH'), () => localStorage.clear()],
    ['vi-VN', () => sessionStorage.setItem('i18nextLng', 'vi-VN'), () => sessionStorage.clear()],
    ['zh-TW', () => givenBrowserLanguages('zh-TW'), () => givenBrowserLanguages()],
    [
      'de-DE',
      () => {
        document.documentElement.lang = 'de-DE';
      },
      () => {
        document.documentElement.lang = '';
      },
    ],
  ];
  for (const [index, [winner]] of sources.entries()) {
    localStorage.clear();
    for (const [, give] of sources.slice(index)) give();
    const { currentLocale } = await start();
    expect(currentLocale()).toBe(winner);
    expect(localStorage.getItem('i18nextLng')).toBe(winner);
    for (const [, , takeAway] of sources) takeAway();
  }
  const { currentLocale } = await start();
  expect(currentLocale()).toBe('en-US');
});

test.each([
  [['zh-Hant-MO'], 'zh-HK'],
  [['zh'], 'zh-CN'],
  [['de'], 'de-DE'],
  [['fr-FR', 'de-AT'], 'de-DE'],
  [['fr-FR'], 'en-US'],
])(
  'in a browser with the preferred languages %s, the portal uses the locale %s',
  async (languages, locale) => {
    givenBrowserLanguages(...languages);
    document.documentElement.lang = '';
    const { currentLocale } = await start();
    expect(currentLocale()).toBe(locale);
  },
);

test('the portal does not select a language that the site does not offer', async () => {
  window.history.replaceState(null, '', '/?lng=de-DE');
  document.documentElement.lang = '';
  const { currentLocale } = await start(['en-US', 'ja-JP']);
  expect(currentLocale()).toBe('en-US');
});

test('a language chosen in another window of the portal is applied in this window, too', async () => {
  const { currentLocale } = await start();
  const tell = (key: string, newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  tell('i18nextLng', 'ko-KR');
  await expect.poll(currentLocale).toBe('ko-KR');
  expect(document.documentElement.lang).toBe('ko-KR');
  tell('another', 'de-DE');
  tell('i18nextLng', null);
  tell('i18nextLng', 'vi-VN');
  await expect.poll(currentLocale).toBe('vi-VN');
  expect(requested).toEqual(['/locales/ko-KR/shell.json', '/locales/vi-VN/shell.json']);
});

test('the portal has English without a download and falls back to it when another language fails to load', async () => {
  const english = await start();
  expect(requested).toEqual([]);
  expect(english.i18next.t('login.title')).toBe('Sign in');

  window.history.replaceState(null, '', '/?lng=de-DE');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('cut')));
  const { i18next } = await start();
  expect(i18next.t('login.title')).toBe('Sign in');
});

test('[S1.07] a missing translation falls back to English while all other texts stay translated', async () => {
  for (const locale of locales.filter((each) => each !== 'en-US')) {
    const file = `../../../public/locales/${locale}/shell.json`;
    const { login: _lacking, ...words } = structuredClone({ login: {}, ...files[file] });
    vi.stubGlobal('fetch', async () => Response.json(words));
    localStorage.clear();
    window.history.replaceState(null, '', `/?lng=${locale}`);
    const { i18next } = await start();
    expect([locale, i18next.t('login.title')]).toEqual([locale, 'Sign in']);
    expect(i18next.t('nav.home')).not.toBe('Home');
  }
});

test('[S8.06] every error code shows a translated message, and an unknown code the message of the server', async () => {
  const seen = new Map<string, Set<string>>();
  for (const locale of locales) {
    localStorage.clear();
    window.history.replaceState(null, '', `/?lng=${locale}`);
    const { i18next } = await start();
    const { errorText } = await import('./error-text.ts');
    const { ApiError } = await import('../api/api-error.ts');
    const text = (code: string | number, message: string) =>
      errorText(i18next.t, new ApiError({ status: 200, code, message }));
    for (const [code, { meaning }] of Object.entries(errorCodes)) {
      const shown = text(code, 'the server says');
      if (locale === 'en-US') expect(shown).toBe(meaning);
      seen.set(code, (seen.get(code) ?? new Set()).add(shown));
    }
    expect(text('CanNoEmailLogin', 'the server says')).toBe('the server says');
    expect(text('Brand-new', '')).toBe(i18next.t('errors.InternalError'));
  }
  // The three Chinese locales may share a text, other languages may not.
  for (const [code, texts] of seen) expect([code, texts.size >= 7]).toEqual([code, true]);
});
