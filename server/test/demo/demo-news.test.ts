import type { BulletinImport } from '@pointgate/contract/documents/news.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { expect, test } from 'vitest';
import { cleanRichText } from '../../src/catalogue/bulletins/rich-text.ts';
import { demoPointPacks, openDemo } from '../demo.ts';

const now = new Date('2026-11-15T12:00:00Z');
const { sites } = openDemo(now).shop;
const siteIds = sites.map(({ id }) => id);
const siteOf = (siteId: string) => sites.filter(({ id }) => id === siteId);
const importsOf = (siteId: string) =>
  siteOf(siteId).flatMap((site) => site.news.map(({ value }) => value));
const pageImportsOf = (siteId: string) =>
  siteOf(siteId).flatMap((site) => site.pages.map(({ value }) => value));

test('the four demo sites are solmere, lantern-court, neon-meridian and omni', () => {
  expect(siteIds).toEqual(['solmere', 'lantern-court', 'neon-meridian', 'omni']);
});

test.each(siteIds)(
  'the demo site %s has twelve news bulletins, of both categories and of every publication state, and six text pages',
  (siteId) => {
    const bulletins = importsOf(siteId);
    expect(bulletins).toHaveLength(12);
    expect(new Set(bulletins.map(({ category }) => category)).size).toBe(2);
    const pins = bulletins.flatMap(({ pinPosition }) => pinPosition ?? []);
    expect(pins.toSorted()).toEqual([1, 2, 3]);
    const isDue = ({ publishFrom }: BulletinImport) => publishFrom !== null && publishFrom <= now;
    const isOver = ({ publishUntil }: BulletinImport) =>
      publishUntil !== null && publishUntil <= now;
    expect(bulletins.filter((bulletin) => !isDue(bulletin))).toHaveLength(1);
    expect(bulletins.filter(isOver)).toHaveLength(1);
    expect(pageImportsOf(siteId).map(({ id }) => id)).toEqual([
      'about-us',
      'contact',
      'game-features',
      'game-info',
      'privacy-policy',
      'user-agreement',
    ]);
  },
);

test.each(siteIds)(
  'the demo news and pages of the site %s exist in all languages and pass the HTML sanitizer unchanged',
  (siteId) => {
    for (const { id, texts } of [...importsOf(siteId), ...pageImportsOf(siteId)]) {
      expect([id, Object.keys(texts)]).toEqual([id, [...locales]]);
      for (const text of Object.values(texts)) {
        expect(cleanRichText(text.body)).toEqual({ html: text.body, removed: [] });
        // No mark of the text format is left over in any language.
        expect(Object.values(text).join('\n')).not.toMatch(/\{[^}]*\}|\*\*|\]\(|\||\[!/);
      }
    }
  },
);

test('the demo news texts differ between all languages except between the two kinds of traditional Chinese', () => {
  for (const siteId of siteIds) {
    for (const { id, texts } of [...importsOf(siteId), ...pageImportsOf(siteId)]) {
      const { 'zh-HK': _alike, ...others } = texts;
      const bodies = new Set(Object.values(others).map(({ body }) => body));
      expect([siteId, id, bodies.size]).toEqual([siteId, id, locales.length - 1]);
    }
  }
});

test('no two demo news bulletins share a title, summary or body within a language', () => {
  const all = siteIds.flatMap((siteId) => importsOf(siteId));
  expect(new Set(all.map(({ id }) => id)).size).toBe(48);
  for (const locale of locales) {
    const said = all.flatMap(({ texts }) => texts[locale] ?? []);
    for (const part of ['title', 'summary', 'body'] as const) {
      expect([locale, part, new Set(said.map((text) => text[part])).size]).toEqual([
        locale,
        part,
        48,
      ]);
    }
  }
});

test('the demo news formats dates for each language and inserts the name of its site', () => {
  const [patch] = importsOf('lantern-court').filter(({ id }) => id === 'empress-shadow');
  expect(patch?.texts['en-US']?.summary).toContain('close on November 17, 06:00');
  expect(patch?.texts['de-DE']?.summary).toContain('am 17. November, 06:00');
  expect(patch?.texts['ja-JP']?.summary).toContain('11月17日 06:00');
  const [privacy] = pageImportsOf('lantern-court').filter(({ id }) => id === 'privacy-policy');
  expect(privacy?.texts['zh-TW']?.body).toContain('燈影宮闕知道你');
  const [agreement] = pageImportsOf('omni').filter(({ id }) => id === 'user-agreement');
  expect(agreement?.texts['en-US']?.body).toContain('buying on Omni.');
});

test("the names of the demo's E Point packs use the number format and wording of each language", () => {
  const [pack] = demoPointPacks.filter(({ quantity }) => quantity === 1000);
  expect(pack?.name).toEqual({
    'en-US': '1,000 E Points',
    'zh-CN': '1,000 E 点',
    'zh-HK': '1,000 E 點',
    'zh-TW': '1,000 E 點',
    'th-TH': '1,000 E Point',
    'ko-KR': '1,000 E 포인트',
    'ja-JP': '1,000 Eポイント',
    'vi-VN': '1.000 E Point',
    'de-DE': '1.000 E-Points',
  });
});
