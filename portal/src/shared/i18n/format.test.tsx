import { cleanup, renderHook } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import german from '../../../public/locales/de-DE/shell.json';
import { useFormat } from './format.ts';
import { startI18n } from './i18n.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [52 * hourMs, '2 days 4 hr', '2 Tg. 4 Std.'],
  [48 * hourMs, '2 days', '2 Tg.'],
  [48 * hourMs + 5 * minuteMs, '2 days', '2 Tg.'],
  [hourMs + 30 * minuteMs, '1 hr 30 min', '1 Std. 30 Min.'],
  [hourMs, '1 hr', '1 Std.'],
  [59 * minuteMs + 59_000, '59 min', '59 Min.'],
  [minuteMs, '1 min', '1 Min.'],
  [59_001, '1 min', '1 Min.'],
  [1_200, '2 sec', '2 Sek.'],
  [0, '1 sec', '1 Sek.'],
  [-5_000, '1 sec', '1 Sek.'],
])(
  'the portal formats a time span of %i ms as %s, and in German as %s',
  async (ms, inEnglish, inGerman) => {
    vi.stubGlobal('fetch', async () => Response.json(german));
    if (!i18next.isInitialized) await startI18n(['en-US', 'de-DE']);
    await i18next.changeLanguage('en-US');
    expect(renderHook(useFormat).result.current.span(ms)).toBe(inEnglish);
    await i18next.changeLanguage('de-DE');
    expect(renderHook(useFormat).result.current.span(ms)).toBe(inGerman);
  },
);
