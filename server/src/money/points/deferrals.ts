import type { Tx } from '../../platform/db.ts';
import { type DeferralStep, insertDeferral, selectDeferrals } from './deferrals.queries.ts';
import { type Deferral, deferredOf } from './deferred.ts';
import type { Lot } from './lots.ts';

/**
 * Starts the deferral of a top-up, or updates it after its money has changed. The caller holds the
 * lock of the wallet. A top-up sold before deferrals existed stays fully recognised.
 */
export async function deferPrice(
  tx: Tx,
  {
    accountId,
    originId,
    isNew,
    currency,
    ...now
  }: Deferral & {
    accountId: string;
    originId: string;
    isNew: boolean;
    currency: string;
  },
): Promise<void> {
  const [known] = await selectDeferrals(tx, { accountId, originIds: [originId] });
  if (known === undefined && !isNew) return;
  const none = { originId, step: 0, currency, deferredMinor: 0n };
  if (known === undefined || !isSame(known, now)) await post(tx, accountId, known ?? none, now);
}

function isSame(one: Deferral, other: Deferral): boolean {
  return (
    one.soldMinor === other.soldMinor &&
    one.keptMinor === other.keptMinor &&
    one.keptPoints === other.keptPoints &&
    one.remaining === other.remaining
  );
}

/** Updates the deferrals after points of these lots were used or returned. */
export async function followLots(tx: Tx, accountId: string, lots: readonly Lot[]): Promise<void> {
  const bought = new Map(
    lots.filter(({ bucket }) => bucket === 'basic').map((lot) => [lot.originId, lot.remaining]),
  );
  if (bought.size === 0) return;
  for (const known of await selectDeferrals(tx, { accountId, originIds: [...bought.keys()] })) {
    const remaining = bought.get(known.originId) ?? known.remaining;
    if (remaining !== known.remaining) await post(tx, accountId, known, { ...known, remaining });
  }
}

async function post(
  tx: Tx,
  accountId: string,
  before: Pick<DeferralStep, 'originId' | 'step' | 'currency' | 'deferredMinor'>,
  { soldMinor, keptMinor, keptPoints, remaining }: Deferral,
): Promise<void> {
  const now = { soldMinor, keptMinor, keptPoints, remaining };
  const deferredMinor = deferredOf(now);
  const { originId, step, currency } = before;
  const changeMinor = deferredMinor - before.deferredMinor;
  await insertDeferral(tx, {
    accountId,
    originId,
    step: step + 1,
    currency,
    deferredMinor,
    changeMinor,
    ...now,
  });
}
