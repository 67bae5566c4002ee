import {
  type BulletinCategory,
  type BulletinCursor,
  bulletinDetail,
  bulletinList,
  bulletinTop,
} from '@pointgate/contract/bulletins.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/api-error.ts';
import { call } from '../../shared/api/client.ts';
import type { NewsTab } from './news-tabs.ts';

// The first card is twice as wide as the others: three full rows of three.
const pageSize = 8;

export const newsQuery = (tab: NewsTab) =>
  infiniteQueryOptions({
    queryKey: ['news', 'list', tab],
    queryFn: ({ pageParam }) => call(bulletinList, { tab, after: pageParam, limit: pageSize }),
    initialPageParam: null as BulletinCursor | null, // as: else it is never more than null
    getNextPageParam: ({ nextAfter }) => nextAfter,
  });

/** The pinned bulletins, in pinned order. */
export const topNewsQuery = queryOptions({
  queryKey: ['news', 'top'],
  queryFn: async () => (await call(bulletinTop, {})).bulletins,
});

/** Null for a missing announcement, which is a result and not an error to retry. */
export const bulletinQuery = (bulletinId: string) =>
  queryOptions({
    queryKey: ['news', 'detail', bulletinId],
    queryFn: () => bulletinOrNull(bulletinId),
  });

const relatedMax = 3;

/** The newest bulletins of the same category, without the given one. */
export const relatedQuery = (bulletinId: string, category: BulletinCategory) =>
  queryOptions({
    queryKey: ['news', 'related', category, bulletinId],
    queryFn: async () => {
      const asked = { tab: category, after: null, limit: relatedMax + 1 };
      const { bulletins } = await call(bulletinList, asked);
      return bulletins.filter((other) => other.bulletinId !== bulletinId).slice(0, relatedMax);
    },
  });

async function bulletinOrNull(id: string): Promise<ReplyOf<typeof bulletinDetail> | null> {
  // A malformed id from the address is not requested.
  if (!Slug.safeParse(id).success) return null;
  try {
    return await call(bulletinDetail, {}, {}, { id });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BulletinMissing') return null;
    throw error;
  }
}
