import { paymentMethods } from '@pointgate/contract/payment-methods.ts';
import { inject } from 'vitest';
import { z } from 'zod';
import { Health } from '../src/money/routing/health.ts';
import { openHealthValues } from '../src/money/routing/provider-health.ts';
import { switchMethod } from '../src/money/routing/routing.ts';
import type { Buyer } from './buying.ts';
import { send, type TestShop } from './shop.ts';

/** The payment methods available to a player, located by the headers. */
export async function methodsOf(
  shop: TestShop,
  { cookie }: Pick<Buyer, 'cookie'>,
  { headers = {}, ...body }: { kind?: string; currency?: string; headers?: Record<string, string> },
): Promise<string[]> {
  const asked = { kind: 'item', ...body };
  const { data } = await send(shop, paymentMethods.path, { cookie, body: asked, headers });
  return z.object({ methods: z.array(z.string()) }).parse(data).methods;
}

/** Switches a method on or off like an operator. */
export async function turn(
  shop: TestShop,
  method: 'card' | 'epoint',
  { isOn, siteId = null }: { isOn: boolean; siteId?: string | null },
): Promise<void> {
  const turned = { method, siteId, isOn, by: 'ines', reason: 'a drill', at: new Date() };
  await shop.db.transaction((tx) => switchMethod(tx, turned));
}

/** Ends the waiting time before the next trial of a failing provider. */
export async function letTrialBeDue(
  shop: TestShop,
  psp: string,
  redisUrl: string | null = inject('redisUrl'),
): Promise<void> {
  if (redisUrl === null) throw new Error('the shop has no Redis');
  const values = openHealthValues(redisUrl, shop.databaseUrl);
  try {
    // A running worker may change the value concurrently.
    for (let isSwapped = false; !isSwapped; ) {
      const before = await untilConnected(() => values.read(psp));
      const { out, calls } = Health.parse(JSON.parse(before ?? ''));
      if (out === null) throw new Error(`${psp} is not failing`);
      const after = JSON.stringify({ calls, out: { ...out, retryAt: Date.now() - 1 } });
      isSwapped = await values.swap(psp, { before, after });
    }
  } finally {
    await values.close();
  }
}

async function untilConnected<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await read();
    } catch (error) {
      if (tries >= 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
