import { beforeEach, expect, test, vi } from 'vitest';

const files = import.meta.glob<object>('../../../public/locales/*/*.json', {
  import: 'default',
  eager: true,
});

let requested: string[] = [];

/** Loads the portal with fresh modules in this language. */
async function start(language: string) {
  vi.resetModules();
  localStorage.clear();
  window.history.replaceState(null, '', `/?lng=${language}`);
  const { startI18n } = await import('./i18n.ts');
  const { locales } = await import('@pointgate/contract/locales.ts');
  await startI18n(locales);
  const { loadWords } = await import('./words.ts');
  const { default: i18next } = await import('i18next');
  return { i18next, loadWords };
}

beforeEach(() => {
  requested = [];
  vi.stubGlobal('fetch', async (path: string) => {
    requested.push(path);
    return Response.json(files[`../../../public${path}`] ?? {});
  });
});

test('the texts of a portal page are loaded with that page, and again after each change of language', async () => {
  const { i18next, loadWords } = await start('de-DE');
  expect(requested).toEqual(['/locales/de-DE/shell.json']);
  await loadWords(['orders']);
  expect(requested).toEqual(['/locales/de-DE/shell.json', '/locales/de-DE/orders.json']);
  expect(i18next.t('receipt.open')).not.toBe('receipt.open');
  const german = i18next.t('order.title');
  await i18next.changeLanguage('ko-KR');
  expect(i18next.t('order.title')).not.toBe(german);
  expect(requested).toContain('/locales/ko-KR/orders.json');
  expect(requested).not.toContain('/locales/ko-KR/account.json');
});

test('the portal merges a section of texts that is split over two locale files', async () => {
  const { i18next, loadWords } = await start('en-US');
  await loadWords(['orders']);
  expect(i18next.t('order.method')).toBe('Payment method');
  expect(i18next.t('order.title')).toBe('Your order');
  expect(requested).toEqual([]);
});

test('the portal falls back to English when the texts of a page fail to load', async () => {
  const { i18next, loadWords } = await start('de-DE');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('cut')));
  await loadWords(['account']);
  expect(i18next.t('sessions.title')).toBe('Where you are signed in');
  expect(i18next.t('nav.logout')).not.toBe('Logout');
});
