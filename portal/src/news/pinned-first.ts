import type { BulletinSummary } from '@pointgate/contract/bulletins.ts';
import type { NewsTab } from './news-tabs.ts';

interface News {
  tab: NewsTab;
  /** In the order they are pinned, of all kinds. */
  pinned: readonly BulletinSummary[];
  /** As the list brings them: of this kind, by their day. */
  listed: readonly BulletinSummary[];
}

/** What is pinned stands on top, once; below it the others by their day. */
export function pinnedFirst({ tab, pinned, listed }: News): BulletinSummary[] {
  const first = pinned.filter(({ category }) => tab === 'all' || category === tab);
  const isFirst = new Set(first.map(({ bulletinId }) => bulletinId));
  return [...first, ...listed.filter(({ bulletinId }) => !isFirst.has(bulletinId))];
}
