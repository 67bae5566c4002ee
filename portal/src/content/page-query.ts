import { pageContent } from '@pointgate/contract/bulletins.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';

export type PageText = ReplyOf<typeof pageContent>;

/** A page that the publisher wrote; null where there is none. */
export const pageQuery = (pageId: string) =>
  queryOptions({ queryKey: ['page', pageId], queryFn: () => pageOrNull(pageId) });

async function pageOrNull(id: string): Promise<PageText | null> {
  // Anything can stand in an address; what cannot be an id is not asked for.
  if (!Slug.safeParse(id).success) return null;
  try {
    return await call(pageContent, {}, {}, { id });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'PageMissing') return null;
    throw error;
  }
}
