import type { Db } from '../../platform/db.ts';
import { type ContentChanges, cacheContent } from '../../platform/versioned-cache.ts';
import type { GiftRule } from './gift-rules.ts';
import { rulesMax, type SiteGiftRule, selectAllGiftRules } from './gifts.queries.ts';

/** The rules that have not ended, for packs of one kind on one site. */
export type GiftRulesFor = (key: {
  siteId: string;
  kind: 'item' | 'points';
  now: Date;
}) => Promise<readonly GiftRule[]>;

/**
 * Cached rules for lists. Placing an order reads the table, because a cached rule may be outdated.
 */
export function keepGiftRules(db: Db, changes?: ContentChanges): GiftRulesFor {
  const { read } = cacheContent(db, { topic: 'gifts', changes }, async () =>
    Map.groupBy((await selectAllGiftRules(db)).rules, keyOf),
  );
  return async ({ now, ...key }) => {
    const rules = (await read()).get(keyOf(key)) ?? [];
    return rules.filter(({ endsAt }) => endsAt === null || endsAt > now).slice(0, rulesMax);
  };
}

function keyOf({ siteId, kind }: Pick<SiteGiftRule, 'siteId' | 'kind'>): string {
  return `${siteId} ${kind}`;
}
