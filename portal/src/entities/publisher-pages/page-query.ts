import { pageContent } from '@pointgate/contract/bulletins.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/api-error.ts';
import { call } from '../../shared/api/client.ts';

export type PageText = ReplyOf<typeof pageContent>;

/** A content page of the publisher; null if it does not exist. */
export const pageQuery = (pageId: string) =>
  queryOptions({ queryKey: ['page', pageId], queryFn: () => pageOrNull(pageId) });

async function pageOrNull(id: string): Promise<PageText | null> {
  // A malformed id from the address is not requested.
  if (!Slug.safeParse(id).success) return null;
  try {
    return await call(pageContent, {}, {}, { id });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'PageMissing') return null;
    throw error;
  }
}
