import { BulletinImport, PageImport } from '@pointgate/contract/documents/news.ts';
import { type Locale, locales } from '@pointgate/contract/locales.ts';
import { z } from 'zod';
import { textIn } from '../platform/local-text.ts';
import { escaped, htmlOf, paragraphOf, readArticle } from './markdown.ts';
import { readGame, type SiteOfShop } from './shop-documents.ts';
import { checked, daysFrom, type ShopFiles, WrongDocument } from './shop-files.ts';

const Fields = z.strictObject({
  title: z.string(),
  summary: z.string().optional(),
  /** The first paragraph, in larger letters. */
  lead: z.string().optional(),
});

/** The news of a site, a folder each with `bulletin.json` and a text for each language. */
export function readNews(files: ShopFiles, site: SiteOfShop): BulletinImport[] {
  const nameIn = namesOf(files, site);
  const folder = `sites/${site.id}/news`;
  return files.list(folder).map((id) => {
    const path = `${folder}/${id}/bulletin.json`;
    const bulletin = files.json(z.record(z.string(), z.unknown()), path);
    const texts = textsIn(files, `${folder}/${id}`, nameIn);
    return checked(BulletinImport, { ...bulletin, id, sites: [site.id], texts }, path);
  });
}

/** The pages of a site, and those of all sites. */
export function readPages(files: ShopFiles, site: SiteOfShop): PageImport[] {
  const nameIn = namesOf(files, site);
  return [`sites/${site.id}/pages`, 'pages'].flatMap((folder) =>
    files.list(folder).map((id) => {
      const texts = textsIn(files, `${folder}/${id}`, nameIn);
      return checked(PageImport, { id, sites: [site.id], texts }, `${folder}/${id}`);
    }),
  );
}

/** What `{name}` stands for in texts: the name of the game of the site, else its title. */
function namesOf(files: ShopFiles, { title, gameId }: SiteOfShop): (locale: Locale) => string {
  if (gameId === null) return () => title;
  const { name } = readGame(files, gameId);
  return (locale) => textIn(name, locale);
}

function textsIn(
  files: ShopFiles,
  folder: string,
  nameIn: (locale: Locale) => string,
): Record<string, object> {
  const names = files.list(folder).filter((name) => name !== 'bulletin.json');
  const stranger = names.find((name) => !locales.some((locale) => name === `${locale}.md`));
  if (stranger !== undefined) throw new WrongDocument(`${folder}/${stranger}: is in no language`);
  const written = locales.filter((locale) => names.includes(`${locale}.md`));
  return Object.fromEntries(
    written.map((locale) => {
      const shownIn = { locale, name: nameIn(locale) };
      return [locale, textOf(files, `${folder}/${locale}.md`, shownIn)];
    }),
  );
}

function textOf(
  files: ShopFiles,
  path: string,
  { locale, name }: { locale: Locale; name: string },
): object {
  const filled = (text: string, shownName: string) =>
    withDays(text, { locale, now: files.now }).replaceAll('{name}', shownName);
  try {
    const { fields, text } = readArticle(files.text(path));
    const { title, summary, lead } = checked(Fields, fields, path);
    const opening = lead === undefined ? '' : paragraphOf(lead, 'lead');
    return {
      title: filled(title, name),
      ...(summary === undefined ? {} : { summary: filled(summary, name) }),
      // Filled in last: a date at the beginning of a line can look like the number of a list.
      body: filled(opening + htmlOf(text), escaped(name)),
    };
  } catch (error) {
    if (error instanceof WrongDocument || !(error instanceof Error)) throw error;
    throw new WrongDocument(`${path}: ${error.message}`, { cause: error });
  }
}

/** Replaces marks such as `{+3}` by the date in three days, in the format of the language. */
function withDays(text: string, { locale, now }: { locale: Locale; now: Date }): string {
  const day = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return text.replace(/\{([+-]\d+)\}/g, (_mark, days) => day.format(daysFrom(now, Number(days))));
}
