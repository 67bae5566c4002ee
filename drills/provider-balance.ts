import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { balanceDifferences } from '../tools/balance/provider-balance.ts';
import { waitUntil } from '../tools/process/wait-until.ts';
import { operatorProgram } from './operate.ts';
import { pause } from './pause.ts';
import { type SandboxClient, sandboxClientAt } from './sandbox-client.ts';
import type { Shop } from './shop.ts';

const Balances = z.object({ balances: z.record(z.string(), z.int()) });
const Payout = z.object({ id: z.string() });

/**
 * Pays out half of each provider's balance, returns a part of it, and reconciles all days until
 * now. Then `house:psp` must equal the balance of each provider; returns the differences. For a
 * shop without work in progress.
 */
export async function providerBalanceDifferences(
  shop: Shop,
  providers: readonly ('stripe' | 'paypal')[] = ['stripe'],
): Promise<string[]> {
  for (const name of providers) await payOut(sandboxClientAt(shop.stack.sandbox[name]));
  if (providers.includes('paypal')) await releasePaypalReports(shop);
  const days = await shop.query<{ day: string }>(
    `select day::date::text as day from generate_series(
       (select min(created_at at time zone 'UTC')::date from payment_attempts),
       (now() at time zone 'UTC')::date, interval '1 day') as day`,
  );
  for (const { day } of days) for (const psp of providers) await compareDay(shop, psp, day);
  const { databaseUrl, sandbox } = shop.stack;
  const asked = Object.fromEntries(providers.map((name) => [name, sandbox[name]]));
  return await balanceDifferences({ databaseUrl, sandbox: asked });
}

async function payOut(provider: SandboxClient): Promise<void> {
  const { balances } = Balances.parse(await provider.ask('/__sandbox/balance'));
  for (const [currency, amount] of Object.entries(balances)) {
    await provider.tell('/__sandbox/payouts', { currency, amount: Math.floor(amount / 2) });
    const late = { currency, amount: Math.floor(amount / 4) };
    const { id } = Payout.parse(await provider.tell('/__sandbox/payouts', late));
    await provider.tell(`/__sandbox/payouts/${id}/return`, {});
  }
}

/** Makes PayPal's reports available, which are otherwise hours behind. */
async function releasePaypalReports(shop: Shop): Promise<void> {
  const availableUntil = Math.floor(Date.now() / 1000) + 2 * 24 * 60 * 60;
  await sandboxClientAt(shop.stack.sandbox.paypal).tell('/__sandbox/reports', { availableUntil });
}

// A busy machine takes minutes for work that takes an idle machine seconds.
const patienceMs = 10 * 60_000;

/**
 * Retries a report that is not ready at once instead of at its scheduled time. Waits for a running
 * reconciliation, because a new request would restart it.
 */
async function compareDay(shop: Shop, psp: string, day: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  do {
    await promisify(execFile)(
      process.execPath,
      [operatorProgram, 'reconcile', psp, day, '--by', 'drill'],
      {
        env: shop.stack.serverEnv,
      },
    );
    const isOver = async () => {
      await pause(200);
      return !(await isBeingCompared(shop));
    };
    await waitUntil(isOver, {
      timeoutMs: deadline - performance.now(),
      what: `${day} of ${psp} is still being compared`,
    });
    const compared = await shop.query(
      `select from settlement_days where psp = $1 and day = $2 and compared_at is not null`,
      [psp, day],
    );
    if (compared.length > 0) return;
  } while (performance.now() < deadline);
  throw new Error(`${day} of ${psp} is not compared`);
}

async function isBeingCompared(shop: Shop): Promise<boolean> {
  const due = await shop.query(
    `select from pgboss.job
     where name = 'reconcile_day' and state in ('created', 'retry', 'active') and start_after <= now()`,
  );
  return due.length > 0;
}
