import { readFileSync } from 'node:fs';
import { BulletinCategory } from '@pointgate/contract/bulletins.ts';
import { type Locale, locales } from '@pointgate/contract/locales.ts';
import { z } from 'zod';
import { demoSites } from './demo-catalogue.ts';
import { demoGames } from './demo-games.ts';
import { htmlOfLines } from './news-lines.ts';

const dayMs = 86_400_000;

const Line = z.string().trim().min(1);
const Lines = z.array(Line).min(1);
const PageTexts = z.record(z.enum(locales), z.strictObject({ title: Line, lines: Lines }));

const SiteNews = z.strictObject({
  bulletins: z.array(
    z.strictObject({
      id: Line,
      category: z.enum(BulletinCategory.def.entries),
      art: Line,
      pinPosition: z.int().nullable(),
      /** Days before the seed; a negative number is planned. */
      daysAgo: z.int(),
      /** Null without an end. */
      daysShown: z.int().min(1).nullable(),
      texts: z.record(
        z.enum(locales),
        z.strictObject({ title: Line, summary: Line, lines: Lines }),
      ),
    }),
  ),
  pages: z.record(z.enum(['about-us', 'contact', 'game-features', 'game-info']), PageTexts),
});

const LegalPages = z.record(z.enum(['privacy-policy', 'user-agreement']), PageTexts);

/** The news of a demo site in the import format. Days count from `now`. */
export function newsOf(siteId: string, now: Date): object[] {
  const { bulletins } = SiteNews.parse(readJson(`news/${siteId}.json`));
  return bulletins.map(({ daysAgo, daysShown, texts, ...bulletin }) => ({
    ...bulletin,
    sites: [siteId],
    publishFrom: dayFrom(now, -daysAgo).toISOString(),
    publishUntil: daysShown === null ? null : dayFrom(now, daysShown - daysAgo).toISOString(),
    texts: inAll((locale) => {
      const { title, summary, lines } = texts[locale];
      const dated = (text: string) => withDays(text, { locale, now });
      return { title: dated(title), summary: dated(summary), body: htmlOfLines(lines.map(dated)) };
    }),
  }));
}

/** The pages of a site, and the shared pages with the name of the site. */
export function pagesOf(siteId: string): object[] {
  const { pages } = SiteNews.parse(readJson(`news/${siteId}.json`));
  const legal = LegalPages.parse(readJson('news/legal.json'));
  return Object.entries({ ...pages, ...legal }).map(([id, texts]) => ({
    id,
    sites: [siteId],
    texts: inAll((locale) => {
      const { title, lines } = texts[locale];
      const named = lines.map((line) => line.replaceAll('{name}', nameOf(siteId, locale)));
      return { title, body: htmlOfLines(named) };
    }),
  }));
}

function nameOf(siteId: string, locale: Locale): string {
  const game = demoGames.find(({ id }) => id === siteId);
  const name = game?.name[locale] ?? demoSites.find(({ id }) => id === siteId)?.title;
  if (name === undefined) throw new Error(`${siteId} is not a demo site`);
  return name;
}

/** Replaces marks such as `{+3}` by the date in three days, in the format of the language. */
function withDays(text: string, { locale, now }: { locale: Locale; now: Date }): string {
  const day = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return text.replace(/\{([+-]\d+)\}/g, (_mark, days) => day.format(dayFrom(now, Number(days))));
}

function dayFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * dayMs);
}

function inAll<Text>(textIn: (locale: Locale) => Text): Record<string, Text> {
  return Object.fromEntries(locales.map((locale) => [locale, textIn(locale)]));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
