import {
  BulletinDocument,
  BulletinImport,
  PageImport,
  TextFields,
} from '@pointgate/contract/documents/news.ts';
import type { Texts } from '@pointgate/contract/documents/parts.ts';
import { fallbackLocale, type Locale, locales } from '@pointgate/contract/locales.ts';
import { daysFrom, type FolderReader, startOf } from './folder-reader.ts';
import { escaped, htmlOf, paragraphOf, readArticle, UnreadableText } from './markdown.ts';
import type { Document, Place, Said } from './places.ts';

/** The site that texts are for. `{name}` in them is the name of its game, else its title. */
interface ShownSite {
  id: string;
  title: string;
  names: Texts | undefined;
}

/** The news of a site, a folder each with `bulletin.yaml` and a text for each language. */
export function readNews(reader: FolderReader, site: ShownSite): Document<BulletinImport>[] {
  const folder = `sites/${site.id}/news`;
  return reader.list(folder).flatMap((id) => {
    const path = `${folder}/${id}`;
    const bulletin = reader.document(BulletinDocument, `${path}/bulletin`);
    const texts = textsIn(reader, path, site);
    if (bulletin === undefined || texts === undefined) return [];
    const { publishFrom, publishUntil } = bulletin.value;
    const whole = reader.checked(BulletinImport, {
      value: {
        ...bulletin.value,
        publishFrom: publishFrom?.toISOString() ?? null,
        publishUntil: publishUntil?.toISOString() ?? null,
        id,
        sites: [site.id],
        texts: texts.value,
      },
      at: (asked) => (asked?.[0] === 'texts' ? texts.at(asked.slice(1)) : bulletin.at(asked)),
    });
    return whole === undefined ? [] : [{ ...whole, id }];
  });
}

/** The pages of a site, and those of all sites. */
export function readPages(reader: FolderReader, site: ShownSite): Document<PageImport>[] {
  return [`sites/${site.id}/pages`, 'pages'].flatMap((folder) =>
    reader.list(folder).flatMap((id) => {
      const texts = textsIn(reader, `${folder}/${id}`, site);
      if (texts === undefined) return [];
      const whole = reader.checked(PageImport, {
        value: { id, sites: [site.id], texts: texts.value },
        at: (asked) => texts.at(asked?.slice(1)),
      });
      return whole === undefined ? [] : [{ ...whole, id }];
    }),
  );
}

/** The texts of a folder by language; undefined if one of them cannot be read. */
function textsIn(
  reader: FolderReader,
  folder: string,
  site: ShownSite,
): Said<Record<string, object>> | undefined {
  const names = reader.list(folder).filter((name) => name.endsWith('.md'));
  const known = locales.filter((locale) => names.includes(`${locale}.md`));
  for (const name of names.filter((each) => !locales.some((locale) => each === `${locale}.md`))) {
    reader.text(`${folder}/${name}`);
    const problem = `is in no language of the shop: there are ${locales.join(', ')}`;
    reader.complain(startOf(`${folder}/${name}`), problem);
  }
  const texts = known.map((locale) => [locale, textOf(reader, folder, { site, locale })] as const);
  if (texts.some(([, text]) => text === undefined)) return undefined;
  return {
    value: Object.fromEntries(texts.map(([locale, text]) => [locale, text?.value ?? {}])),
    at: (path = []) => {
      const [locale, ...field] = path;
      const [, text] = texts.find(([each]) => each === locale) ?? [];
      return text?.at(field) ?? startOf(`${folder}/${fallbackLocale}.md`);
    },
  };
}

function textOf(
  reader: FolderReader,
  folder: string,
  { site, locale }: { site: ShownSite; locale: Locale },
): Said<object> | undefined {
  const file = `${folder}/${locale}.md`;
  const source = reader.text(file);
  if (source === undefined) return undefined;
  const placeOf = (line: number): Place => ({ file, line, column: 1 });
  const name = site.names?.[locale] ?? site.names?.[fallbackLocale] ?? site.title;
  const filled = (text: string, shownName: string) =>
    withDays(text, { locale, now: reader.now }).replaceAll('{name}', shownName);
  try {
    const { fields, lines, text, textLine } = readArticle(source);
    const at = (path: readonly PropertyKey[] = []) =>
      placeOf(lines[String(path[0])] ?? (path[0] === 'body' ? textLine : 1));
    const said = reader.checked(TextFields, { value: fields, at });
    if (said === undefined) return undefined;
    const { title, summary, lead } = said.value;
    const opening = lead === undefined ? '' : paragraphOf(lead, 'lead');
    return {
      at,
      value: {
        title: filled(title, name),
        ...(summary === undefined ? {} : { summary: filled(summary, name) }),
        // Filled in last: a date at the beginning of a line can look like the number of a list.
        body: filled(opening + htmlOf(text, textLine), escaped(name)),
      },
    };
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    reader.complain(placeOf(error.line), error.message);
    return undefined;
  }
}

/** Replaces marks such as `{+3}` by the date in three days, in the format of the language. */
function withDays(text: string, { locale, now }: { locale: Locale; now: Date }): string {
  const day = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return text.replace(/\{([+-]\d+)\}/g, (_mark, days) => day.format(daysFrom(now, Number(days))));
}
