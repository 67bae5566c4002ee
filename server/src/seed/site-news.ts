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
      /** Before the moment of the seed; less than none is planned. */
      daysAgo: z.int(),
      /** For ever, where it does not say. */
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

/** The news of a site of the demo, as an operator would import them. Days count from `now`. */
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

/** Its own pages, and those that are the same on every site but for its name. */
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
  if (name === undefined) throw new Error(`${siteId} is no site of the demo`);
  return name;
}

/** `{+3}` is the day after the day after tomorrow, as one writes it in that language. */
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
