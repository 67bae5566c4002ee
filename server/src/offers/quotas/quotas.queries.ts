import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

export interface HoldKey {
  accountId: string;
  paymentId: string;
}

/** A counter and the number of packs. */
export interface Counted {
  accountId: string;
  goods: string;
  holder: string;
  span: string;
  packs: number;
  packsMax: number;
}

/** False if the limit would be exceeded. Waits for concurrent transactions on the same counter. */
export async function addPacks(tx: Tx, counted: Counted): Promise<boolean> {
  const { accountId, goods, holder, span, packs, packsMax } = counted;
  const added = await tx.run(sql`
    insert into purchase_counters (account_id, goods, holder, span, packs)
    select ${accountId}::uuid, ${goods}::text, ${holder}::text, ${span}::text, ${packs}::int
    where ${packs}::int <= ${packsMax}::int
    on conflict (account_id, goods, holder, span)
      do update set packs = purchase_counters.packs + excluded.packs
      where purchase_counters.packs + excluded.packs <= ${packsMax}::int`);
  return added === 1;
}

/** False if the order is counted already. */
export async function insertHold(tx: Tx, { paymentId }: HoldKey, counted: Counted) {
  const { accountId, goods, holder, span, packs, packsMax } = counted;
  const inserted = await tx.run(sql`
    insert into purchase_holds (account_id, payment_id, goods, holder, span, packs, packs_max)
    values (${accountId}, ${paymentId}, ${goods}, ${holder}, ${span}, ${packs}, ${packsMax})
    on conflict do nothing`);
  return inserted === 1;
}

/** Subtracts the packs of an order from its counter, once. */
export async function releaseHold(tx: Tx, { accountId, paymentId }: HoldKey): Promise<void> {
  await tx.run(sql`
    with released as (
      update purchase_holds set is_released = true
      where account_id = ${accountId} and payment_id = ${paymentId} and not is_released
      returning account_id, goods, holder, span, packs
    )
    update purchase_counters as counter set packs = counter.packs - released.packs
    from released
    where counter.account_id = released.account_id and counter.goods = released.goods
      and counter.holder = released.holder and counter.span = released.span`);
}

const Hold = z.object({
  goods: z.string(),
  holder: z.string(),
  span: z.string(),
  packs: z.int(),
  packs_max: z.int(),
});

/** The released packs of an order. */
export function lockReleased(tx: Tx, { accountId, paymentId }: HoldKey) {
  return tx.maybeOne(
    Hold,
    sql`
      select goods, holder, span, packs, packs_max from purchase_holds
      where account_id = ${accountId} and payment_id = ${paymentId} and is_released
      for update`,
  );
}

export async function holdAgain(tx: Tx, { accountId, paymentId }: HoldKey): Promise<void> {
  await tx.run(sql`
    update purchase_holds set is_released = false
    where account_id = ${accountId} and payment_id = ${paymentId}`);
}

const Taken = z.object({
  goods: z.string(),
  holder: z.string(),
  span: z.string(),
  packs: z.int(),
});

/** The packs of these goods that an account, or its role, has bought in these periods. */
export function selectTaken(
  db: Db | Tx,
  of: {
    accountId: string;
    goods: readonly string[];
    holders: readonly string[];
    spans: readonly string[];
  },
) {
  return db.many(
    Taken,
    sql`
      select goods, holder, span, packs from purchase_counters
      where account_id = ${of.accountId} and goods = any(${of.goods}::text[])
        and holder = any(${of.holders}::text[]) and span = any(${of.spans}::text[])
      limit 10000`,
  );
}
