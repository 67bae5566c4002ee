import { requirements } from './requirements.ts';
import { type Row, verdicts } from './rows.ts';
import { titlesIn } from './titles.ts';

/** The content of a file of the repository, or undefined if it does not exist. */
export type TextOf = (path: string) => string | undefined;

/** Errors in the rows: missing or duplicate rows, and rows without evidence or reason. */
export function complaintsAbout(rows: readonly Row[], textOf: TextOf): string[] {
  const ids = rows.map(({ id }) => id);
  const judged = requirements.filter(({ level }) => level < 3).map(({ id }) => id);
  return [
    ...judged.filter((id) => !ids.includes(id)).map((id) => `${id} has no row`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} has two rows`),
    ...ids
      .filter((id) => !judged.includes(id))
      .map((id) => `${id} is no requirement of level 1 or 2`),
    ...rows.flatMap((row) => [...wrongVerdict(row), ...deadLinks(row, textOf)]),
  ];
}

function wrongVerdict({ id, asks, verdict, evidence, why = '' }: Row): string[] {
  const isKnown = verdicts.some((known) => known === verdict);
  const needsEvidence = verdict === 'held' || verdict === 'held in part';
  return [
    ...(isKnown ? [] : [`${id} has the unknown verdict '${verdict}'`]),
    ...(asks.trim() === '' ? [`${id} does not say what is asked`] : []),
    ...(needsEvidence && evidence.length === 0 ? [`${id} is ${verdict} without evidence`] : []),
    ...(verdict !== 'held' && why.trim() === '' ? [`${id} is '${verdict}' without a reason`] : []),
  ];
}

function deadLinks({ id, evidence }: Row, textOf: TextOf): string[] {
  return evidence.flatMap((link) => {
    const { path, heading, titles } = partsOf(link);
    const text = textOf(path);
    if (text === undefined) return [`${id} names ${path}, which is not there`];
    if (heading !== undefined && !headingsIn(text).includes(heading)) {
      return [`${id} names the heading #${heading}, which ${path} does not have`];
    }
    if (!isPathTo(titles, text)) {
      return [`${id} names the test '${titles.join(' > ')}', which ${path} does not have`];
    }
    return [];
  });
}

export function partsOf(link: string): { path: string; heading?: string; titles: string[] } {
  const [place = '', ...titles] = link.split(' > ');
  const [path = '', heading] = place.split('#');
  return { path, titles, ...(heading === undefined ? {} : { heading }) };
}

/** Whether the file has a test with the last title below describes with the other titles. */
function isPathTo(titles: readonly string[], text: string): boolean {
  if (titles.length === 0) return true;
  const found = titlesIn(text);
  let after = -1;
  for (const [index, title] of titles.entries()) {
    const kind = index === titles.length - 1 ? 'test' : 'describe';
    after = found.findIndex((each, at) => at > after && each.title === title && each.kind === kind);
    if (after === -1) return false;
  }
  return true;
}

function headingsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
