import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

const GiftRow = z.object({
  reason: z.enum(['rebate', 'code']),
  points: z.bigint(),
  days: z.int().nullable(),
});

export function selectGift(tx: Tx, key: { accountId: string; originId: string }) {
  return tx.maybeOne(
    GiftRow,
    sql`
      select reason, points, days from point_gifts
      where account_id = ${key.accountId} and origin_id = ${key.originId}`,
  );
}

/** The gifts of this player among these origins. */
export function selectGifts(db: Db, key: { accountId: string; originIds: readonly string[] }) {
  return db.many(
    GiftRow.pick({ reason: true }).extend({ origin_id: z.uuid() }),
    sql`
      select origin_id, reason from point_gifts
      where account_id = ${key.accountId} and origin_id = any(${key.originIds}::uuid[])
      order by at desc, origin_id`,
  );
}

export async function insertGift(
  tx: Tx,
  gift: z.output<typeof GiftRow> & { accountId: string; originId: string; at: Date },
): Promise<void> {
  await tx.run(sql`
    insert into point_gifts (account_id, origin_id, reason, points, days, at)
    values (${gift.accountId}, ${gift.originId}, ${gift.reason}, ${gift.points}, ${gift.days},
            ${gift.at})`);
}
