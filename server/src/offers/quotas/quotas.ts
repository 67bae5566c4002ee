import type { PurchaseLimit } from '@pointgate/contract/catalogue.ts';
import { keyOf } from '../../money/orders/orders.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { PurchaseCondition, PurchaseDraft } from '../conditions/conditions.ts';
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

/** The number of packs that an account or a role may buy in a day, week, month, or ever. */
export interface Quota {
  packsMax: number;
  per: 'account' | 'role';
  period: Period;
}

interface Role {
  serverId: string;
  roleId: string;
}

/** The moment and the time zone in which limits are counted. */
interface Moment {
  at: Date;
  timeZone: string;
}

/**
 * Counts the packs of an order in the transaction that places it: of concurrent orders exactly as
 * many succeed as the limit allows. Idempotent per order. Throws `PurchaseLimitReached`.
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

/** An order counts towards the purchase limit of its pack until it is closed or refunded. */
export const quotaCondition: PurchaseCondition<
  PurchaseDraft & { goodsKey: string; quota: Quota | null; timeZone: string }
> = {
  name: 'quota',
  hold: async (tx, order, { intent, goodsKey: goods, quota, timeZone }) => {
    if (quota === null) return;
    const { serverId, roleId, packCount: packs } = intent;
    const role = serverId === null || roleId === null ? null : { serverId, roleId };
    await takeQuota(tx, keyOf(order), { goods, quota, packs, role, at: new Date(), timeZone });
  },
  release: (tx, order) => releaseHold(tx, keyOf(order)),
  takeAgain: (tx, order) => takeQuotaAgain(tx, keyOf(order)),
  onRefund: {
    after: ['not_provided', 'goodwill'],
    giveBack: (tx, order) => releaseHold(tx, keyOf(order)),
  },
};

/**
 * Counts a released order again when it is paid late; false if the limit is reached by now. True
 * for an order that was never released or has no limit.
 */
async function takeQuotaAgain(tx: Tx, key: HoldKey): Promise<boolean> {
  const released = await lockReleased(tx, key);
  if (released === undefined) return true;
  const { packs_max: packsMax, ...counted } = released;
  const isRoom = await addPacks(tx, { accountId: key.accountId, ...counted, packsMax });
  if (isRoom) await holdAgain(tx, key);
  return isRoom;
}

/** The limits shown to a player; for a limit per role the remaining packs need a role. */
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
  if (role === null) throw new Error('a purchase limit per role needs a role');
  return `${role.serverId}/${role.roleId}`;
}
