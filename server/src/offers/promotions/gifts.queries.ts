import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { readRows } from '../../platform/readable-rows.ts';
import type { GiftRule } from './gift-rules.ts';

/** A row of `gift_rules`. */
export const RuleRow = z.object({
  id: z.string(),
  item_id: z.string().nullable(),
  gift_quantity: z.bigint().nullable(),
  gift_percent: z.int().nullable(),
  first_purchase: z.enum(['of_item', 'of_any']).nullable(),
  packs_max: z.int().nullable(),
  starts_at: z.date(),
  ends_at: z.date().nullable(),
  new_account_days: z.int().nullable(),
  countries: z.array(z.string()).nullable(),
  languages: z.array(z.string()).nullable(),
  has_bought: z.boolean().nullable(),
  is_listed: z.boolean(),
});

/** The most rules that are evaluated per kind and site. */
export const rulesMax = 200;

/** All rules that have not ended. Rules that do not match the player get a verdict as well. */
export async function selectGiftRules(
  db: Db | Tx,
  key: { siteId: string; kind: 'item' | 'points'; now: Date },
): Promise<GiftRule[]> {
  const { rows } = await readRows(
    db,
    { table: 'gift_rules', key: ['id'], row: RuleRow },
    sql`
      select * from gift_rules
      where site_id = ${key.siteId} and kind = ${key.kind}
        and (ends_at is null or ends_at > ${key.now})
      order by id limit ${rulesMax}`,
  );
  return rows.map(toRule);
}

const RowOfSite = z.object({
  ...RuleRow.shape,
  site_id: z.string(),
  kind: z.enum(['item', 'points']),
});

/** The rules of every site that have not ended, for the cache. */
export async function selectAllGiftRules(db: Db) {
  const { rows, unusable } = await readRows(
    db,
    { table: 'gift_rules', key: ['id'], row: RowOfSite },
    sql`
      select * from gift_rules
      where ends_at is null or ends_at > now()
      order by site_id, kind, id`,
  );
  const toSiteRule = (row: z.output<typeof RowOfSite>): SiteGiftRule => {
    return { siteId: row.site_id, kind: row.kind, ...toRule(row) };
  };
  return { rules: rows.map(toSiteRule), unusable };
}

export interface SiteGiftRule extends GiftRule {
  siteId: string;
  kind: 'item' | 'points';
}

function toRule(row: z.output<typeof RuleRow>): GiftRule {
  return {
    ruleId: row.id,
    itemId: row.item_id,
    giftQuantity: row.gift_quantity,
    giftPercent: row.gift_percent,
    firstPurchase: row.first_purchase,
    packsMax: row.packs_max,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    newAccountDays: row.new_account_days,
    countries: row.countries,
    languages: row.languages,
    hasBought: row.has_bought,
    isListed: row.is_listed,
  };
}

const PlayerRow = z.object({
  created_at: z.date(),
  bought: z.array(z.string()),
  listed_in: z.array(z.string()),
});

/** Neither an undelivered and refunded order counts, nor an item from a redeem code. */
const isBought = sql`
  paid_at is not null and not (state = 'refunded' and arrived_at is null)
  and not snapshot ? 'redemptionId'`;

/**
 * An item counts as bought if it was paid on this site or if an open order holds its first-purchase
 * gift. What former owners bought for a game account of this account counts as well, and so does
 * the time since they had it: a game account does not become new with a new owner.
 */
export function selectGiftPlayer(db: Db | Tx, key: { accountId: string; siteId: string }) {
  return db.one(
    PlayerRow,
    sql`
      with former as materialized (
        select before.account_id, before.game_id, before.game_account_id, before.bound_at
        from former_game_accounts as before
        join game_accounts as own using (game_id, game_account_id)
        where own.account_id = ${key.accountId} and before.account_id <> ${key.accountId}
      )
      select least(created_at, (select min(bound_at) from former)) as created_at,
             array(
               select item_id from former join orders using (account_id, game_id, game_account_id)
               where site_id = ${key.siteId} and ${isBought}
               union
               select item_id from orders
               where account_id = accounts.id and site_id = ${key.siteId} and ${isBought}
               union
               select item_id from gift_claims
               where account_id = accounts.id and site_id = ${key.siteId} and released_at is null
                 -- Claims stay when their orders are archived.
                 and not exists (
                   select from orders
                   where orders.account_id = gift_claims.account_id
                     and orders.payment_id = gift_claims.payment_id and state = 'closed'
                 )
               order by 1
             ) as bought,
             array(
               select rule_id from gift_rule_accounts where account_id = accounts.id order by 1
             ) as listed_in
      from accounts where id = ${key.accountId}`,
  );
}

/** Serializes first purchases of an account by a lock. */
export async function lockFirstPurchase(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('first_purchase:' || ${accountId}::text, 0))`);
}

/** Releases the claims of orders that were closed unpaid. */
export async function releaseClosedClaims(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`
    update gift_claims set released_at = now() from orders
    where gift_claims.account_id = ${accountId} and released_at is null
      and orders.account_id = gift_claims.account_id
      and orders.payment_id = gift_claims.payment_id
      and orders.state = 'closed'`);
}

/** Does nothing if the order holds the claim already. */
export async function insertClaim(
  tx: Tx,
  claim: {
    accountId: string;
    paymentId: string;
    siteId: string;
    itemId: string;
    scope: string;
    ruleId: string;
  },
): Promise<void> {
  await tx.run(sql`
    insert into gift_claims (account_id, payment_id, site_id, item_id, scope, rule_id)
    values (${claim.accountId}, ${claim.paymentId}, ${claim.siteId}, ${claim.itemId},
            ${claim.scope}, ${claim.ruleId})
    on conflict (account_id, payment_id) do nothing`);
}

export interface ClaimKey {
  accountId: string;
  paymentId: string;
}

export function selectClaim(tx: Tx, key: ClaimKey) {
  return tx.maybeOne(
    z.object({ scope: z.string() }),
    sql`
      select scope from gift_claims
      where account_id = ${key.accountId} and payment_id = ${key.paymentId}`,
  );
}

export async function releaseClaim(tx: Tx, key: ClaimKey): Promise<void> {
  await tx.run(sql`
    update gift_claims set released_at = now()
    where account_id = ${key.accountId} and payment_id = ${key.paymentId} and released_at is null`);
}

/** False if another order holds the claim. */
export async function holdClaimAgain(tx: Tx, key: ClaimKey): Promise<boolean> {
  const held = await tx.run(sql`
    update gift_claims as claim set released_at = null
    where account_id = ${key.accountId} and payment_id = ${key.paymentId} and not exists (
      select from gift_claims as other
      where other.account_id = claim.account_id and other.site_id = claim.site_id
        and other.scope = claim.scope and other.payment_id <> claim.payment_id
        and other.released_at is null)`);
  return held === 1;
}
