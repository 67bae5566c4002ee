import { type CurrencyCode, pointsUnit } from '@pointgate/contract/money.ts';
import type { BudgetState } from '@pointgate/contract/people.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { budgetAt, changeBudget, noBudget } from './budget.ts';
import { policyPack } from './policies/policies.ts';
import { isWithin, type Limits, limitsAt, type PolicyPack } from './policies/policy.ts';
import { type PeopleContext, realNameOf } from './real-names.ts';
import {
  lockAccount,
  lockPerson,
  selectBudget,
  selectPolicyPack,
  selectSpent,
  selectSpentByPerson,
  upsertBudget,
} from './spending.queries.ts';

/** A payment that a player is about to make. */
export interface Purchase {
  accountId: string;
  siteId: string;
  currency: string;
  amountMinor: bigint;
}

/**
 * Refuses a purchase beyond the legal limits or the player's own budget. Points count when they are
 * bought, not when they are spent.
 */
export async function checkSpending(
  db: Db | Tx,
  people: PeopleContext,
  purchase: Purchase,
): Promise<void> {
  const { accountId, currency, amountMinor } = purchase;
  if (currency === pointsUnit) return;
  const now = new Date(people.now());
  const pack = policyPack(await selectPolicyPack(db, purchase.siteId));
  const refusal = await refusalByLaw(db, people, { purchase, pack, now });
  if (refusal !== null) throw new AppError(refusal);

  const budget = budgetAt((await selectBudget(db, { accountId, currency })) ?? noBudget, now);
  if (budget.amountMinor === null) return;
  const { timeZone } = pack;
  const spentMinor = await selectSpent(db, { accountId, currency, now, timeZone });
  if (spentMinor + amountMinor > budget.amountMinor) throw new AppError('BudgetReached');
}

/**
 * The same with a lock, for the transaction that opens the payment: concurrent payments of one
 * person wait for each other and see each other's amounts.
 */
export async function lockAndCheckSpending(
  tx: Tx,
  people: PeopleContext,
  purchase: Purchase,
): Promise<void> {
  if (purchase.currency === pointsUnit) return;
  await lockSpender(tx, purchase.accountId);
  await checkSpending(tx, people, purchase);
}

/**
 * Whether the legal limits allow a late payment, for which no room was held. The player's own
 * budget does not matter, because the player has already paid.
 */
export async function lockAndCheckLaw(
  tx: Tx,
  people: PeopleContext,
  purchase: Purchase,
): Promise<boolean> {
  if (purchase.currency === pointsUnit) return true;
  await lockSpender(tx, purchase.accountId);
  const pack = policyPack(await selectPolicyPack(tx, purchase.siteId));
  const now = new Date(people.now());
  return (await refusalByLaw(tx, people, { purchase, pack, now })) === null;
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

/**
 * A lower budget takes effect at once, a raise after a day. Repeating a request changes nothing.
 */
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

/** Locks the account before the person, because the account's person can change until then. */
async function lockSpender(tx: Tx, accountId: string): Promise<void> {
  await lockAccount(tx, accountId);
  await lockPerson(tx, accountId);
}

/** Payments from all accounts of one person count together. */
async function refusalByLaw(
  db: Db | Tx,
  people: PeopleContext,
  { purchase, pack, now }: { purchase: Purchase; pack: PolicyPack; now: Date },
): Promise<'RealNameNeeded' | 'SpendingLimitReached' | null> {
  const { accountId, currency, amountMinor } = purchase;
  const limits = await limitsOf(db, people, { accountId, pack, now });
  if (limits === null || limits === 'RealNameNeeded') return limits;
  if (currency !== pack.currency) return 'SpendingLimitReached';
  const { timeZone } = pack;
  const spentMinor = await selectSpentByPerson(db, { accountId, currency, now, timeZone });
  return isWithin(limits, { amountMinor, spentMinor }) ? null : 'SpendingLimitReached';
}

/** Not audited: the birthday is used for the decision and shown to nobody. */
async function limitsOf(
  db: Db | Tx,
  people: PeopleContext,
  { accountId, pack, now }: { accountId: string; pack: PolicyPack; now: Date },
): Promise<Limits | 'RealNameNeeded' | null> {
  if (!pack.needsRealName && pack.bands.length === 0) return null;
  const person = await realNameOf(db, people, accountId);
  const birthday = person?.birthday ?? null;
  const isKnown = birthday !== null && person?.fullName != null && person.identityNumber !== null;
  if (pack.needsRealName && !isKnown) return 'RealNameNeeded';
  return limitsAt(pack, { birthday: birthday?.reveal() ?? null, now });
}
