import { type CurrencyCode, pointsUnit } from '@pointgate/contract/money.ts';
import type { BudgetState } from '@pointgate/contract/people.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { budgetAt, changeBudget, noBudget } from './budget.ts';
import { type PeopleContext, realNameOf } from './people.ts';
import { policyPack } from './policies/policies.ts';
import { isWithin, type Limits, limitsAt, type PolicyPack } from './policies/policy.ts';
import {
  lockAccount,
  selectBudget,
  selectPolicyPack,
  selectSpent,
  upsertBudget,
} from './spending.queries.ts';

/** What a player is about to pay. */
export interface Purchase {
  accountId: string;
  siteId: string;
  currency: string;
  amountMinor: bigint;
}

/**
 * Refuses what the law or the player's own budget does not allow, as things stand. Points count when
 * they are bought and not when they are spent.
 */
export async function requireRoom(
  db: Db | Tx,
  people: PeopleContext,
  purchase: Purchase,
): Promise<void> {
  const { accountId, currency, amountMinor } = purchase;
  if (currency === pointsUnit) return;
  const now = new Date(people.now());
  const pack = policyPack(await selectPolicyPack(db, purchase.siteId));
  const limits = await limitsOf(db, people, { accountId, pack, now });
  const budget = budgetAt((await selectBudget(db, { accountId, currency })) ?? noBudget, now);
  if (limits === null && budget.amountMinor === null) return;

  const { timeZone } = pack;
  const spentMinor = await selectSpent(db, { accountId, currency, now, timeZone });
  if (limits !== null) {
    const isComparable = currency === pack.currency;
    if (!isComparable || !isWithin(limits, { amountMinor, spentMinor })) {
      throw new AppError('SpendingLimitReached');
    }
  }
  if (budget.amountMinor !== null && spentMinor + amountMinor > budget.amountMinor) {
    throw new AppError('BudgetReached');
  }
}

/**
 * The same, for the transaction that opens the payment: payments of one account stand in a line until
 * it ends, so that each sees the ones before it.
 */
export async function holdRoom(tx: Tx, people: PeopleContext, purchase: Purchase): Promise<void> {
  if (purchase.currency === pointsUnit) return;
  await lockAccount(tx, purchase.accountId);
  await requireRoom(tx, people, purchase);
}

interface BudgetKey {
  accountId: string;
  siteId: string;
  currency: CurrencyCode;
}

export async function budgetOf(
  db: Db | Tx,
  people: PeopleContext,
  { accountId, siteId, currency }: BudgetKey,
): Promise<BudgetState> {
  const now = new Date(people.now());
  const { timeZone } = policyPack(await selectPolicyPack(db, siteId));
  const budget = budgetAt((await selectBudget(db, { accountId, currency })) ?? noBudget, now);
  const { amountMinor, pending } = budget;
  return {
    currency,
    amountMinor,
    spentMinor: await selectSpent(db, { accountId, currency, now, timeZone }),
    pending: pending && { amountMinor: pending.amountMinor, from: pending.from.toISOString() },
  };
}

/** Lowering holds for the next payment already; raising waits. Sent twice, it is one change. */
export async function setBudget(
  db: Db,
  people: PeopleContext,
  key: BudgetKey & { amountMinor: bigint | null },
): Promise<BudgetState> {
  return await db.transaction(async (tx) => {
    await lockAccount(tx, key.accountId);
    const known = (await selectBudget(tx, key)) ?? noBudget;
    const changed = changeBudget(known, key.amountMinor, new Date(people.now()));
    await upsertBudget(tx, key, changed);
    return await budgetOf(tx, people, key);
  });
}

/** Looking at a birthday to decide this tells nobody what it is, and is no read that is written down. */
async function limitsOf(
  db: Db | Tx,
  people: PeopleContext,
  { accountId, pack, now }: { accountId: string; pack: PolicyPack; now: Date },
): Promise<Limits | null> {
  if (!pack.needsRealName && pack.bands.length === 0) return null;
  const person = await realNameOf(db, people, accountId);
  const birthday = person?.birthday ?? null;
  const isKnown = birthday !== null && person?.fullName != null && person.identityNumber !== null;
  if (pack.needsRealName && !isKnown) throw new AppError('RealNameNeeded');
  return limitsAt(pack, { birthday: birthday?.reveal() ?? null, now });
}
