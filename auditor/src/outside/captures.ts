import type { Query } from '../database.ts';
import { gracePeriodMs } from '../invariant.ts';
import { type IdRange, idsIn } from '../ranges.ts';
import { merchantAccountOf } from './account-orders.ts';

/** A charge as the provider lists it. */
export interface Charge {
  id: string;
  /** The order id in the provider's metadata. */
  paymentId: string | null;
  /** The capture id in our tables. */
  payment_intent: string;
  amount: number;
  currency: string;
  /** In seconds. */
  created: number;
}

export interface Credit {
  paymentId: string;
  captureId: string;
  unit: string;
  amountMinor: string;
}

/** Ledger credits by capture id. */
export type Credited = Map<string, Credit[]>;

/** The credits of a range of orders; only those of one merchant account, if it is named. */
export async function creditsIn(
  query: Query,
  range: IdRange,
  merchantAccount?: string,
): Promise<Credited> {
  const credits = creditsWhere(idsIn('origin_id', range));
  if (merchantAccount === undefined) return await readCredits(query, credits);
  const own = merchantAccountOf('credits.account_id', 'origin_id', 'credits.capture_id');
  return await readCredits(query, `select * from (${credits}) as credits where ${own} = $1`, [
    merchantAccount,
  ]);
}

/** The credits of some charges, whatever their order. */
export async function creditsOf(
  query: Query,
  charges: readonly Charge[],
  merchantAccount: string,
): Promise<Credited> {
  if (charges.length === 0) return new Map();
  const captureIds = charges.map(({ payment_intent }) => payment_intent);
  const paymentIds = charges.map(({ paymentId }) => paymentId ?? '').filter((id) => isId.test(id));
  const found = await readCredits(
    query,
    creditsWhere(`(account_id, origin_id) in (
      select account_id, payment_id from order_keys where payment_id = any($1::uuid[])
      union
      select account_id, payment_id from payment_attempts where psp = $2 and capture_id = any($3))`),
    [paymentIds, merchantAccount, captureIds],
  );
  const wanted = new Set(captureIds);
  return new Map([...found].filter(([captureId]) => wanted.has(captureId)));
}

const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function readCredits(
  query: Query,
  credits: string,
  values: readonly unknown[] = [],
): Promise<Credited> {
  const rows = await query(
    `select origin_id, unit, amount_minor, capture_id from (${credits}) as credits`,
    values,
  );
  return Map.groupBy(
    rows.map(([paymentId = '', unit = '', amountMinor = '', captureId = '']) => ({
      paymentId,
      unit,
      amountMinor,
      captureId,
    })),
    ({ captureId }) => captureId,
  );
}

/**
 * If a provider reports a larger amount for a capture later, the difference has a posting of its
 * own: the capture's id, then attempt, currency and amount.
 */
const creditsWhere = (where: string) => `
  select account_id, origin_id, unit, sum(amount_minor) as amount_minor,
         regexp_replace(substr(posting, 10), ':[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$', '') as capture_id
  from ledger_transfers where posting like 'captured:%' and ${where}
  group by account_id, origin_id, unit, capture_id`;

/**
 * I3: every charge has exactly one credit of its order. Matched credits are removed from
 * `credited`.
 */
export function checkCharges(
  charges: readonly Charge[],
  credited: Credited,
  nowMs: number,
): string[] {
  const violations: string[] = [];
  for (const charge of charges) {
    const found = credited.get(charge.payment_intent) ?? [];
    credited.delete(charge.payment_intent);
    const [credit] = found;
    if (credit === undefined) {
      const isUnderWay = nowMs - charge.created * 1000 < gracePeriodMs;
      if (!isUnderWay) violations.push(`charge ${charge.id} has no credit`);
    } else if (found.length > 1) {
      violations.push(`charge ${charge.id} was credited ${found.length} times`);
    } else if (!isSameMoney(charge, credit)) {
      violations.push(
        `charge ${charge.id} is ${charge.amount} ${charge.currency}, ` +
          `its credit ${credit.amountMinor} ${credit.unit}`,
      );
    } else if (charge.paymentId !== credit.paymentId) {
      violations.push(`charge ${charge.id} was credited to order ${credit.paymentId}`);
    }
  }
  return violations;
}

/** I3: every credit has a charge. */
export function checkMissingCharges(credited: ReadonlyMap<string, readonly Credit[]>): string[] {
  return [...credited].map(
    ([captureId, [credit]]) =>
      `order ${credit?.paymentId} has a credit without a charge, ${captureId}`,
  );
}

function isSameMoney(charge: { amount: number; currency: string }, credit: Credit): boolean {
  return (
    credit.amountMinor === String(charge.amount) && credit.unit === charge.currency.toUpperCase()
  );
}
