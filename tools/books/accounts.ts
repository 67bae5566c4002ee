import { z } from 'zod';
import type { Query } from '../../auditor/src/database.ts';
import { gracePeriodMs } from '../../auditor/src/invariant.ts';
import type { IdRange } from '../../auditor/src/ranges.ts';
import type { Compared } from './compared.ts';
import { type Provider, readRange } from './outside.ts';

const Charge = z.object({ id: z.string(), paymentId: z.string().nullable(), created: z.int() });

/**
 * I3 for several accounts with one provider: the charge is in the account through which its order
 * was paid. The check of all accounts together cannot find that.
 */
export async function compareAccounts(
  query: Query,
  range: IdRange,
  { providers, nowMs }: { providers: readonly Provider[]; nowMs: number },
): Promise<Compared> {
  const byProvider = Map.groupBy(providers, ({ psp }) => psp.split('-', 1)[0]);
  const sharedProviders = [...byProvider.values()].filter((accounts) => accounts.length > 1).flat();
  const found = await Promise.all(
    sharedProviders.map((account) => strayCharges(query, range, { account, nowMs })),
  );
  // The charges are counted by the main comparison.
  return { checked: 0, violations: found.flat() };
}

async function strayCharges(
  query: Query,
  range: IdRange,
  { account, nowMs }: { account: Provider; nowMs: number },
): Promise<string[]> {
  const listed = await readRange(account.url, { kind: 'charges', record: Charge, range });
  // The order of a very recent charge may not be in our snapshot of the tables.
  const charges = listed.filter(({ created }) => nowMs - created * 1000 >= gracePeriodMs);
  const stray = await query(
    `select charge from unnest($1::text[], $2::uuid[]) as charges (charge, payment_id)
     where not exists (
       select from payment_attempts as attempts
       where attempts.payment_id = charges.payment_id and psp = $3)`,
    [charges.map(({ id }) => id), charges.map(({ paymentId }) => paymentId), account.psp],
  );
  return stray.map(([charge]) => `charge ${charge} is of no order paid through ${account.psp}`);
}
