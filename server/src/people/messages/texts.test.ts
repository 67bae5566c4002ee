import { locales } from '@pointgate/contract/locales.ts';
import { expect, test } from 'vitest';
import { mailTexts, smsText } from './texts.ts';

const words = { code: '012345', minutes: 10, siteTitle: 'Solmere' };

test.each(locales)(
  'the message with a one-time code in %s names the site and the validity period and contains a warning',
  (locale) => {
    const { subject, text, html } = mailTexts({ ...words, locale });
    expect(subject).toContain('Solmere');
    // Site, code, validity period, a warning not to share the code, and advice if it was unrequested.
    const parts = text.trim().split('\n\n');
    expect(parts).toHaveLength(5);
    expect(parts[0]).toContain('Solmere');
    expect(parts[1]).toBe('012345');
    expect(parts[2]).toContain('10');
    for (const part of parts) expect(html).toContain(`>${part}<`);
    expect(smsText({ ...words, locale })).toMatch(/(?=.*012345)(?=.*10)(?=.*Solmere)/);
  },
);

test('the message that carries a one-time code differs between all languages', () => {
  const all = locales.map((locale) => mailTexts({ ...words, locale }).text);
  expect(new Set(all).size).toBe(locales.length);
  const short = locales.map((locale) => smsText({ ...words, locale }));
  expect(new Set(short).size).toBe(locales.length);
});

test.each(locales)(
  'the text message with a one-time code in %s has at most 134 characters, two SMS segments',
  (locale) => {
    expect(smsText({ ...words, locale }).length).toBeLessThanOrEqual(134);
  },
);

test('the message with a one-time code that is valid for one minute says "minute" in the singular', () => {
  const once = { ...words, minutes: 1 };
  expect(mailTexts({ ...once, locale: 'en-US' }).text).toContain('valid for 1 minute.');
  expect(smsText({ ...once, locale: 'en-US' })).toContain('valid for 1 minute.');
  expect(mailTexts({ ...once, locale: 'de-DE' }).text).toContain('1 Minute gültig.');
  expect(smsText({ ...once, locale: 'de-DE' })).toContain('für 1 Minute.');
});

test('a site title is HTML-escaped in the mail with a one-time code', () => {
  const { html } = mailTexts({ ...words, siteTitle: '<b>"A" & B</b>', locale: 'en-US' });
  expect(html).toContain('&lt;b&gt;&quot;A&quot; &amp; B&lt;/b&gt;');
  expect(html).not.toContain('<b>');
});
