import { pointsUnit } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { LocalText } from '../../platform/local-text.ts';
import { readRows } from '../../platform/readable-rows.ts';
import { type BatchTerms, type KnownCode, Reward } from './batch-rules.ts';
import { hashBytes } from './code-text.ts';

const BatchRow = z.object({
  batch_id: z.int(),
  name: z.string(),
  reward: Reward,
  uses_max: z.int(),
  per_account_max: z.int(),
  site_id: z.string().nullable(),
  countries: z.array(z.string()),
  starts_at: z.date(),
  ends_at: z.date().nullable(),
  stopped_at: z.date().nullable(),
});

/** The terms of a redemption at its time. The column has more fields, for audits. */
const RedemptionTerms = z.object({
  reward: Reward,
  item: z
    .object({
      itemName: LocalText,
      unit: LocalText,
      art: z.string(),
      quantity: z.string(),
      giftQuantity: z.string(),
    })
    .nullable(),
  couponId: z.uuid().nullable(),
});

const RedemptionRow = z.object({
  redemption_id: z.uuid(),
  payment_id: z.uuid().nullable(),
  terms: RedemptionTerms,
  at: z.date(),
});
export type RedemptionRow = z.output<typeof RedemptionRow>;

const batchTable = { table: 'redeem_batches', key: ['name'] };

const CodeRow = BatchRow.extend({
  uses: z.int(),
  redeemed: z.int(),
});
const OwnRow = z.object({ own: z.boolean() });

export interface FoundCode extends KnownCode {
  batchId: number;
  name: string;
}

/**
 * The code with its batch and the number of redemptions of this account. `own` means that this
 * account has redeemed the code, whatever the state of its batch; `unusable` that the batch row
 * cannot be read.
 */
export async function selectCode(
  db: Db | Tx,
  { codeHash, accountId }: { codeHash: Buffer; accountId: string },
): Promise<FoundCode | 'own' | 'unusable' | undefined> {
  const { rows, unusable } = await readRows(
    db,
    { ...batchTable, row: CodeRow.extend(OwnRow.shape) },
    sql`
      select batch_id, name, reward, redeem_codes.uses_max, per_account_max, site_id, countries,
             starts_at, ends_at, stopped_at, uses,
             (select count(*)::int from redemptions
              where redemptions.batch_id = redeem_codes.batch_id and account_id = ${accountId})
               as redeemed,
             exists (select from redemptions
                     where redemptions.code_hash = ${codeHash} and account_id = ${accountId}) as own
      from redeem_codes join redeem_batches on redeem_batches.id = batch_id
      where redeem_codes.code_hash = ${codeHash}`,
  );
  const [row] = rows;
  const [setAside] = unusable;
  if (setAside !== undefined) return OwnRow.parse(setAside.raw).own ? 'own' : 'unusable';
  if (row?.own === true) return 'own';
  return (
    row && {
      batchId: row.batch_id,
      name: row.name,
      reward: row.reward,
      uses: row.uses,
      usesMax: row.uses_max,
      redeemed: row.redeemed,
      perAccountMax: row.per_account_max,
      siteId: row.site_id,
      countries: row.countries,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      stoppedAt: row.stopped_at,
    }
  );
}

/** Serializes the redemptions of an account within a batch. */
export async function lockAccountInBatch(
  tx: Tx,
  { accountId, batchId }: { accountId: string; batchId: number },
): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(
      hashtextextended('redeem:' || ${accountId}::text || ':' || ${batchId}::text, 0))`);
}

/** False if the code is used up. Concurrent redemptions of the code wait for this transaction. */
export async function updateUses(tx: Tx, codeHash: Buffer): Promise<boolean> {
  const updated = await tx.run(sql`
    update redeem_codes set uses = uses + 1 where code_hash = ${codeHash} and uses < uses_max`);
  return updated === 1;
}

export function insertRedemption(
  tx: Tx,
  redemption: {
    accountId: string;
    redemptionId: string;
    codeHash: Buffer;
    batchId: number;
    paymentId: string | null;
    termsJson: string;
  },
): Promise<RedemptionRow> {
  return tx.one(
    RedemptionRow,
    sql`
      insert into redemptions (account_id, redemption_id, code_hash, batch_id, payment_id, terms)
      values (${redemption.accountId}, ${redemption.redemptionId}, ${redemption.codeHash},
              ${redemption.batchId}, ${redemption.paymentId}, ${redemption.termsJson})
      returning redemption_id, payment_id, terms, at`,
  );
}

export function selectRedemption(
  db: Db | Tx,
  { codeHash, accountId }: { codeHash: Buffer; accountId: string },
): Promise<RedemptionRow> {
  return db.one(
    RedemptionRow,
    sql`
      select redemption_id, payment_id, terms, at from redemptions
      where account_id = ${accountId} and code_hash = ${codeHash}`,
  );
}

export async function selectIsBatch(db: Db | Tx, name: string): Promise<boolean> {
  const { is_there } = await db.one(
    z.object({ is_there: z.boolean() }),
    sql`select exists (select from redeem_batches where name = ${name}) as is_there`,
  );
  return is_there;
}

/** Undefined if a batch with this name exists. */
export async function insertBatch(
  tx: Tx,
  batch: BatchTerms & { codes: number; rewardJson: string; by: string },
): Promise<number | undefined> {
  const row = await tx.maybeOne(
    z.object({ id: z.int() }),
    sql`
      insert into redeem_batches (name, reward, code_count, uses_max, per_account_max, site_id,
                                  countries, starts_at, ends_at, made_by)
      values (${batch.name}, ${batch.rewardJson}, ${batch.codes}, ${batch.usesPerCode},
              ${batch.codesPerAccount}, ${batch.siteId}, ${batch.countries}, ${batch.startsAt},
              ${batch.endsAt}, ${batch.by})
      on conflict (name) do nothing returning id`,
  );
  return row?.id;
}

/**
 * Inserts the hashes passed as one concatenated value, which PostgreSQL splits: far cheaper than an
 * array of a hundred thousand. Returns the number of new ones.
 */
export async function insertCodes(
  tx: Tx,
  { batchId, usesMax, hashes }: { batchId: number; usesMax: number; hashes: Buffer },
): Promise<number> {
  const count = hashes.length / hashBytes;
  return await tx.run(sql`
    insert into redeem_codes (code_hash, batch_id, uses_max)
    select substring(${hashes}::bytea from nth * ${hashBytes}::int + 1 for ${hashBytes}::int),
           ${batchId}, ${usesMax}
    from generate_series(0, ${count}::int - 1) as nth
    on conflict (code_hash) do nothing`);
}

/** Those of the hashes that exist. */
export async function selectKnownHashes(db: Db | Tx, hashes: readonly Buffer[]): Promise<Buffer[]> {
  const rows = await db.many(
    z.object({ code_hash: z.instanceof(Buffer) }),
    sql`select code_hash from redeem_codes where code_hash = any(${[...hashes]}::bytea[])`,
  );
  return rows.map((row) => row.code_hash);
}

/** False if the batch does not exist. A stopped batch is left unchanged. */
export async function updateStopped(
  tx: Tx,
  { name, by }: { name: string; by: string },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update redeem_batches
    set stopped_at = coalesce(stopped_at, now()), stopped_by = coalesce(stopped_by, ${by})
    where name = ${name}`);
  return updated === 1;
}

const ListedRow = BatchRow.extend({
  code_count: z.int(),
  made_by: z.string(),
  made_at: z.date(),
  stopped_by: z.string().nullable(),
  used: z.int(),
  codes_used: z.int(),
});
export type ListedRow = z.output<typeof ListedRow>;

/** The batches whose codes can still be redeemed, and the rows that cannot be read. */
export function selectLiveBatches(db: Db) {
  return readRows(
    db,
    { ...batchTable, row: BatchRow },
    sql`
      select id as batch_id, redeem_batches.* from redeem_batches
      where stopped_at is null and (ends_at is null or ends_at > now())
      order by id desc limit 10000`,
  );
}

/**
 * The readable batches, newest first. Counts redemptions instead of codes, because they are far
 * fewer.
 */
export async function selectBatches(
  db: Db,
  { rowsMax }: { rowsMax: number },
): Promise<ListedRow[]> {
  const { rows } = await readRows(
    db,
    { ...batchTable, row: ListedRow },
    sql`
      select id as batch_id, redeem_batches.*, used, codes_used
      from redeem_batches cross join lateral (
        select count(*)::int as used, count(distinct code_hash)::int as codes_used
        from redemptions where batch_id = redeem_batches.id
      ) as counted
      order by id desc limit ${rowsMax}`,
  );
  return rows;
}

/** The game of the item, and whether it has a price in E Points. */
export function selectItem(db: Db | Tx, itemId: string) {
  return db.maybeOne(
    z.object({ game_id: z.string(), has_points_price: z.boolean() }),
    sql`
      select game_id,
             exists (select from item_prices
                     where item_id = items.id and currency = ${pointsUnit}) as has_points_price
      from items where id = ${itemId}`,
  );
}

export function selectCouponName(db: Db | Tx, templateId: string) {
  return db.maybeOne(
    z.object({ name: LocalText }),
    sql`select name from coupon_templates where id = ${templateId}`,
  );
}
