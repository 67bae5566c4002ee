import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { unlikeBalances } from '../tools/balance/provider-balance.ts';
import { operatorProgram } from './operator.ts';
import { pause } from './pause.ts';
import type { Shop } from './shop.ts';

const Balances = z.object({ balances: z.record(z.string(), z.int()) });
const Payout = z.object({ id: z.string() });

/**
 * Pays half of what the provider has out to the bank, which sends a part of it back, and has the shop compare
 * all days until now. Then `house:psp` is what the provider has left; answers where it is not. For a shop in
 * which nothing is under way.
 */
export async function providerBalancesApart(shop: Shop): Promise<string[]> {
  const { balances } = Balances.parse(await shop.provider.ask('/__sandbox/balance'));
  for (const [currency, amount] of Object.entries(balances)) {
    const paid = { currency, amount: Math.floor(amount / 2) };
    await shop.provider.tell('/__sandbox/payouts', paid);
    const late = await shop.provider.tell('/__sandbox/payouts', { currency, amount: 1000 });
    await shop.provider.tell(`/__sandbox/payouts/${Payout.parse(late).id}/return`, {});
  }
  const days = await shop.query<{ day: string }>(
    `select day::date::text as day from generate_series(
       (select min(created_at at time zone 'UTC')::date from payment_attempts),
       (now() at time zone 'UTC')::date, interval '1 day') as day`,
  );
  for (const { day } of days) await compareDay(shop, day);
  const { databaseUrl, sandbox } = shop.stack;
  return await unlikeBalances({ databaseUrl, sandbox: { stripe: sandbox.stripe } });
}

const patienceMs = 120_000;

/** The file is written while it is asked for, and whoever asks again need not wait for the next time. */
async function compareDay(shop: Shop, day: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  do {
    await promisify(execFile)(process.execPath, [operatorProgram, 'reconcile', 'stripe', day], {
      env: shop.stack.serverEnv,
    });
    await pause(1000);
    const compared = await shop.query(
      `select from settlement_days where psp = 'stripe' and day = $1 and compared_at is not null`,
      [day],
    );
    if (compared.length > 0) return;
  } while (performance.now() < deadline);
  throw new Error(`${day} is not compared`);
}
