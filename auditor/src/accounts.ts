import { checkSpends } from './check-spends.ts';
import { checkWallet } from './check-wallet.ts';
import { checkCoupons } from './coupons-invariants.ts';
import type { Query } from './database.ts';
import type { Findings } from './findings.ts';
import { checkGifts } from './gifts.ts';
import { checkDeferrals } from './house-invariants.ts';
import type { IdRange } from './ranges.ts';
import { readWallets } from './wallets.ts';

const nobody = '00000000-0000-0000-0000-000000000000';

/** Tables with rows per account and an index that begins with the account id. */
const tables = [
  ...['wallets', 'point_entries', 'point_lots', 'point_draws', 'point_gifts', 'top_up_steps'],
  ...['rebate_counts', 'redemptions', 'coupon_uses', 'deferrals'],
];

/**
 * The last account of a batch: up to it no table has more rows than the batch size, except for rows
 * of that account itself.
 */
async function findLast(
  query: Query,
  { after, rows }: { after: string; rows: number },
): Promise<string | undefined> {
  const ends = tables.map(
    (table) => `
      (select account_id from ${table} where account_id > $1::uuid
       order by account_id offset ${rows - 1} limit 1)`,
  );
  const [end] = await query(
    `select account_id from (${ends.join(' union all ')}) as ends order by account_id limit 1`,
    [after],
  );
  return end?.[0];
}

/** Checks I1, I2, I7, I12, I13 and I16 for the points, gifts and coupons of accounts. */
export async function checkAccounts({
  query,
  findings,
  rowsPerBatch,
  ranges,
  onBatch,
}: {
  query: Query;
  findings: Findings;
  rowsPerBatch: number;
  ranges: readonly IdRange[];
  onBatch: (accounts: number, rows: number) => void;
}): Promise<void> {
  let after: string | undefined = nobody;
  while (after !== undefined) {
    const last = await findLast(query, { after, rows: rowsPerBatch });
    const accounts = { after, last };
    const [{ wallets, frozen, purposes }, ...violations] = await Promise.all([
      readWallets(query, accounts, ranges),
      checkGifts(query, accounts),
      checkCoupons(query, accounts),
      checkDeferrals({ query, findings }, accounts),
    ]);
    findings.add(violations.flat());
    let rowCount = 0;
    for (const wallet of wallets) {
      const spends = checkSpends(wallet, { frozen, purposes });
      findings.add(checkWallet(wallet));
      findings.add(spends.map((text) => ({ id: 'I13', text })));
      const draws = wallet.entries.reduce((sum, entry) => sum + entry.draws.length, 0);
      findings.count('wallets', wallet.wallet === undefined ? 0 : 1);
      findings.count('point_entries', wallet.entries.length);
      findings.count('point_draws', draws);
      rowCount += wallet.entries.length + wallet.lots.size + draws;
    }
    onBatch(wallets.length, rowCount);
    after = last;
  }
}
