import type { BulletinSummary } from '@pointgate/contract/bulletins.ts';
import type { NewsTab } from './news-tabs.ts';

interface News {
  tab: NewsTab;
  /** Pinned bulletins of all categories, in pinned order. */
  pinned: readonly BulletinSummary[];
  /** Bulletins of this tab, by date. */
  listed: readonly BulletinSummary[];
}

/** Pinned bulletins first, without duplicates, then the others by date. */
export function pinnedFirst({ tab, pinned, listed }: News): BulletinSummary[] {
  const first = pinned.filter(({ category }) => tab === 'all' || category === tab);
  const isFirst = new Set(first.map(({ bulletinId }) => bulletinId));
  return [...first, ...listed.filter(({ bulletinId }) => !isFirst.has(bulletinId))];
}
