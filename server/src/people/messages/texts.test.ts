import { locales } from '@pointgate/contract/locales.ts';
import { expect, test } from 'vitest';
import { mailTexts, smsText } from './texts.ts';

const words = { code: '012345', minutes: 10, siteTitle: 'Solmere' };

test.each(locales)('in %s a code comes with its site, its time and a warning', (locale) => {
  const { subject, text, html } = mailTexts({ ...words, locale });
  expect(subject).toContain('Solmere');
  // The site, the code, how long it is valid, never to pass it on, and what if it was not me.
  const parts = text.trim().split('\n\n');
  expect(parts).toHaveLength(5);
  expect(parts[0]).toContain('Solmere');
  expect(parts[1]).toBe('012345');
  expect(parts[2]).toContain('10');
  for (const part of parts) expect(html).toContain(`>${part}<`);
  expect(smsText({ ...words, locale })).toMatch(/(?=.*012345)(?=.*10)(?=.*Solmere)/);
});

test('each language has words of its own', () => {
  const all = locales.map((locale) => mailTexts({ ...words, locale }).text);
  expect(new Set(all).size).toBe(locales.length);
  const short = locales.map((locale) => smsText({ ...words, locale }));
  expect(new Set(short).size).toBe(locales.length);
});

test.each(locales)('in %s an SMS is short enough to be sent as two', (locale) => {
  expect(smsText({ ...words, locale }).length).toBeLessThanOrEqual(134);
});

test('one minute is one minute', () => {
  const once = { ...words, minutes: 1 };
  expect(mailTexts({ ...once, locale: 'en-US' }).text).toContain('valid for 1 minute.');
  expect(smsText({ ...once, locale: 'en-US' })).toContain('valid for 1 minute.');
  expect(mailTexts({ ...once, locale: 'de-DE' }).text).toContain('1 Minute gültig.');
  expect(smsText({ ...once, locale: 'de-DE' })).toContain('für 1 Minute.');
});

test('the name of a site is text, also on a page', () => {
  const { html } = mailTexts({ ...words, siteTitle: '<b>"A" & B</b>', locale: 'en-US' });
  expect(html).toContain('&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;');
  expect(html).not.toContain('<b>');
});
