import type { PurchaseLimit } from '@pointgate/contract/catalogue.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import {
  addPacks,
  type HoldKey,
  holdAgain,
  insertHold,
  lockReleased,
  releaseHold,
  selectTaken,
} from './quotas.queries.ts';
import { type Period, spanAt } from './spans.ts';

/** How many packs an account, or a role, may buy in a day, a week, a month, or ever. */
export interface Quota {
  packsMax: number;
  per: 'account' | 'role';
  period: Period;
}

interface Role {
  serverId: string;
  roleId: string;
}

/** When and where something is counted. */
interface Moment {
  at: Date;
  timeZone: string;
}

/**
 * Counts what an order buys, in the transaction that places it: of orders placed at once, exactly as
 * many get through as the limit allows. The same order again counts once. Throws
 * `PurchaseLimitReached`.
 */
export async function takeQuota(
  tx: Tx,
  key: HoldKey,
  bought: Moment & { goods: string; quota: Quota; packs: number; role: Role | null },
): Promise<void> {
  const { goods, quota, packs } = bought;
  const span = spanAt(quota.period, bought.at, bought.timeZone);
  const counted = {
    accountId: key.accountId,
    goods,
    holder: holderOf(quota, bought.role),
    span: span.name,
    packs,
    packsMax: quota.packsMax,
  };
  if (!(await insertHold(tx, key, counted))) return;
  if (await addPacks(tx, counted)) return;
  throw new AppError('PurchaseLimitReached', { resetAt: span.endsAt?.toISOString() ?? null });
}

/** An order was closed unpaid: what it counted may be bought by another. Twice is once. */
export async function giveBackQuota(tx: Tx, key: HoldKey): Promise<void> {
  await releaseHold(tx, key);
}

/**
 * Whether an order may be paid after all: money came when it had given back what it counted. One that
 * never did, or that no limit was for, may. What is counted again stays counted.
 */
export async function takeQuotaAgain(tx: Tx, key: HoldKey): Promise<boolean> {
  const released = await lockReleased(tx, key);
  if (released === undefined) return true;
  const { packs_max: packsMax, ...counted } = released;
  const isRoom = await addPacks(tx, { accountId: key.accountId, ...counted, packsMax });
  if (isRoom) await holdAgain(tx, key);
  return isRoom;
}

/** What the player is shown of each limit; how much is left for a role only where one is named. */
export async function showLimits(
  db: Db | Tx,
  accountId: string,
  limited: readonly { goods: string; quota: Quota }[],
  { role, at, timeZone }: Moment & { role: Role | null },
): Promise<ReadonlyMap<string, PurchaseLimit>> {
  if (limited.length === 0) return new Map();
  const counts = limited.map(({ goods, quota }) => {
    const isKnown = quota.per === 'account' || role !== null;
    const span = spanAt(quota.period, at, timeZone);
    return { goods, quota, span, holder: isKnown ? holderOf(quota, role) : null };
  });
  const taken = await selectTaken(db, {
    accountId,
    goods: counts.map(({ goods }) => goods),
    holders: [...new Set(counts.flatMap(({ holder }) => holder ?? []))],
    spans: [...new Set(counts.map(({ span }) => span.name))],
  });
  return new Map(
    counts.map(({ goods, quota, span, holder }) => {
      const found = taken.find(
        (row) => row.goods === goods && row.holder === holder && row.span === span.name,
      );
      const packsLeft = Math.max(0, quota.packsMax - (found?.packs ?? 0));
      const resetAt = span.endsAt?.toISOString() ?? null;
      return [goods, { ...quota, packsLeft: holder === null ? null : packsLeft, resetAt }];
    }),
  );
}

function holderOf({ per }: Quota, role: Role | null): string {
  if (per === 'account') return '';
  if (role === null) throw new Error('a limit per role, and no role');
  return `${role.serverId}/${role.roleId}`;
}
