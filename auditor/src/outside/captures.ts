import type { Query } from '../database.ts';
import { patienceMs } from '../invariant.ts';
import { type IdRange, idsIn } from '../ranges.ts';

/** Money that a provider says it took. */
export interface Charge {
  id: string;
  /** The order that it says this was for. */
  paymentId: string | null;
  /** What our tables call the capture by. */
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

/** Credits by the ids of their captures. */
export type Credited = Map<string, Credit[]>;

/**
 * When a provider gave a capture a larger amount later, the difference has a posting of its own,
 * which goes on after the capture's id with attempt, currency and amount.
 */
export async function creditsIn(query: Query, range: IdRange): Promise<Credited> {
  const rows = await query(
    `select origin_id, unit, sum(amount_minor),
            regexp_replace(substr(posting, 10), ':[0-9a-f-]{36}:[A-Z]{3}:[0-9]+$', '') as capture_id
     from ledger_transfers where posting like 'captured:%' and ${idsIn('origin_id', range)}
     group by account_id, origin_id, unit, capture_id`,
  );
  const credits = rows.map(([paymentId = '', unit = '', amountMinor = '', captureId = '']) => ({
    ...{ paymentId, unit, amountMinor, captureId },
  }));
  return Map.groupBy(credits, ({ captureId }) => captureId);
}

/** I3: every charge is one credit of its order. Whatever is found is struck off what was credited. */
export function judgeCharges(
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
      const isUnderWay = nowMs - charge.created * 1000 < patienceMs;
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

/** I3: every credit is a charge. */
export function judgeUncharged(credited: ReadonlyMap<string, readonly Credit[]>): string[] {
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
