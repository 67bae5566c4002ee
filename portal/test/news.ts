import type { BulletinSummary } from '@pointgate/contract/bulletins.ts';

/** An announcement as in the list; its number is also the day of its date. */
export function givenBulletin(
  number: number,
  other: Partial<BulletinSummary> = {},
): BulletinSummary {
  return {
    bulletinId: `news-${number}`,
    category: 'activity',
    title: `News ${number}`,
    summary: `What news ${number} is about`,
    locale: 'en-US',
    art: 'shard1',
    isPinned: false,
    publishedAt: `2026-10-${String(number).padStart(2, '0')}T12:00:00.000Z`,
    ...other,
  };
}

export function givenPage(pageId: string, other: object = {}) {
  return {
    pageId,
    version: 1,
    shownFrom: '2026-10-02T12:00:00.000Z',
    title: `The page ${pageId}`,
    body: `<p>What ${pageId} says</p>`,
    locale: 'en-US',
    ...other,
  };
}
