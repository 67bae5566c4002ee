import { paymentMethods } from '@pointgate/contract/payment-methods.ts';
import { inject } from 'vitest';
import { z } from 'zod';
import { Health } from '../src/money/routing/health.ts';
import { openHealthValues } from '../src/money/routing/provider-health.ts';
import { switchMethod } from '../src/money/routing/routing.ts';
import type { Buyer } from './buying.ts';
import { send, type TestShop } from './shop.ts';

/** What the player could pay with now; the headers say where they are. */
export async function methodsOf(
  shop: TestShop,
  { cookie }: Pick<Buyer, 'cookie'>,
  { headers = {}, ...body }: { kind?: string; currency?: string; headers?: Record<string, string> },
): Promise<string[]> {
  const asked = { kind: 'item', ...body };
  const { data } = await send(shop, paymentMethods.path, { cookie, body: asked, headers });
  return z.object({ methods: z.array(z.string()) }).parse(data).methods;
}

/** As an operator does. */
export async function turn(
  shop: TestShop,
  method: 'card' | 'epoint',
  { isOn, siteId = null }: { isOn: boolean; siteId?: string | null },
): Promise<void> {
  const turned = { method, siteId, isOn, by: 'ines', reason: 'a drill', at: new Date() };
  await shop.db.transaction((tx) => switchMethod(tx, turned));
}

/** The wait of a provider that is out is over, without anybody waiting. */
export async function letTrialBeDue(
  shop: TestShop,
  psp: string,
  redisUrl: string | null = inject('redisUrl'),
): Promise<void> {
  if (redisUrl === null) throw new Error('there is no Redis');
  const values = openHealthValues(redisUrl, shop.databaseUrl);
  try {
    // A worker that is running may write down what it was answered in the meantime.
    for (let isSwapped = false; !isSwapped; ) {
      const before = await untilConnected(() => values.read(psp));
      const { out, calls } = Health.parse(JSON.parse(before ?? ''));
      if (out === null) throw new Error(`${psp} is not out`);
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
