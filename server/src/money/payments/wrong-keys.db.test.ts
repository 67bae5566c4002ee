import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type Buyer, createOrder, givenBuyer, givenOrder, pay } from '../../../test/buying.ts';
import { operate } from '../../../test/operate.ts';
import { letTrialBeDue, methodsOf } from '../../../test/routing.ts';
import { eventually, openTestShop, type TestShop, trustProvider } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { openCases, resolveCase } from '../cases/cases.ts';
import type { PaymentProvider } from '../psp/psp.ts';
import { openStripe } from '../psp/stripe.ts';
import {
  type AdyenWorld,
  givenOptions as adyenOptions,
  startAdyenWorld,
} from '../psp/test/adyen-world.ts';
import {
  type AlipayWorld,
  givenOptions as alipayOptions,
  startAlipayWorld,
} from '../psp/test/alipay-world.ts';
import { type PaypalWorld, startPaypalWorld, webhookId } from '../psp/test/paypal-world.ts';
import {
  startWechatpayWorld,
  type WechatpayWorld,
  givenOptions as wechatpayOptions,
} from '../psp/test/wechatpay-world.ts';

// Tests of a shop whose key is rejected by the provider, for each provider.

let worlds: {
  paypal: PaypalWorld;
  wechatpay: WechatpayWorld;
  alipay: AlipayWorld;
  adyen: AdyenWorld;
};
let contracts: Record<string, string>;
let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  const [paypal, wechatpay, alipay, adyen] = await Promise.all([
    startPaypalWorld(),
    startWechatpayWorld(),
    startAlipayWorld(),
    startAdyenWorld(),
  ]);
  worlds = { paypal, wechatpay, alipay, adyen };
  contracts = {
    PAYPAL: JSON.stringify({
      clientId: 'client',
      clientSecret: 'secret',
      environment: 'sandbox',
      webhookIds: [webhookId],
      route: paypal.route,
    }),
    WECHATPAY: JSON.stringify(wechatpayOptions({ apiBase: wechatpay.outsider.url })),
    ALIPAY: JSON.stringify(alipayOptions({ gateway: `${alipay.outsider.url}/gateway.do` })),
    ADYEN: JSON.stringify(adyenOptions({ apiBase: adyen.outsider.url })),
  };
  shop = await openTestShop({
    ...contracts,
    LOG_LEVEL: 'silent',
    // The worker polls a payment only where a test makes it due.
    PAYMENT_CHECK_SECONDS: '3600',
  });
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`
      update sites set methods = array['card', 'paypal', 'wechatpay', 'alipay', 'adyen', 'epoint'],
                       other_currencies = array['CNY']`);
    await tx.run(sql`
      insert into item_prices (item_id, currency, amount_minor) values ('shards_300', 'CNY', 3000)`);
  });
  await eventually(async () => (await shop.sites.byId('solmere'))?.methods.includes('adyen'));
});
beforeEach(async () => {
  buyer = await givenBuyer(shop);
});
afterAll(async () => {
  await shop?.closeAll();
  for (const { outsider } of Object.values(worlds ?? {})) await outsider.stop();
});

const strangersKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

const providers: {
  contract: string;
  method: string;
  currency: 'USD' | 'CNY';
  withWrongKey: () => PaymentProvider;
}[] = [
  {
    contract: 'stripe',
    method: 'card',
    currency: 'USD',
    withWrongKey: () =>
      openStripe({ secretKey: 'sk_old', webhookSecrets: ['whsec'], apiBase: shop.stripe.url }),
  },
  {
    contract: 'paypal',
    method: 'paypal',
    currency: 'USD',
    withWrongKey: () => worlds.paypal.open({ clientSecret: 'old' }),
  },
  {
    contract: 'wechatpay',
    method: 'wechatpay',
    currency: 'CNY',
    withWrongKey: () => worlds.wechatpay.open({ merchantSerial: '0'.repeat(40) }),
  },
  {
    contract: 'alipay',
    method: 'alipay',
    currency: 'CNY',
    withWrongKey: () => worlds.alipay.open({ privateKey: strangersKey() }),
  },
  {
    contract: 'adyen',
    method: 'adyen',
    currency: 'USD',
    withWrongKey: () => worlds.adyen.open({ apiKey: 'old' }),
  },
];

/** Replaces a provider, as a restart with other settings would, and returns the one before. */
async function use(provider: PaymentProvider): Promise<PaymentProvider> {
  const known = (await shop.payments.providers()) as Map<string, PaymentProvider>; // as: a mutable map at run time
  const before = known.get(provider.name);
  if (before === undefined) throw new Error(`no contract is called ${provider.name}`);
  known.set(provider.name, provider);
  return before;
}

const keyCases = async () =>
  (await openCases(shop.db))
    .filter(({ kind }) => kind === 'provider_key')
    .map(({ subject }) => subject);
const listed = async (contract: string) => {
  const { out } = await operate(shop, ['methods'], { environment: contracts });
  return JSON.parse(out).providers.find((one: { contract: string }) => one.contract === contract);
};

describe.skipIf(inject('redisUrl') === null)('rejected provider keys', () => {
  test.each(providers)(
    'an API key that its provider rejects disables the merchant account $contract after one payment and opens one operator case',
    async ({ contract, method, currency, withWrongKey }) => {
      const isOffered = async () => (await methodsOf(shop, buyer, { currency })).includes(method);
      const place = () => givenOrder(shop, buyer, { method, currency });
      const waiting = [await place(), await place()] as const;
      const right = await use(withWrongKey());

      const first = await pay(shop, buyer, waiting[0]);
      expect(first.code).toMatch(/^(PaymentInitiationFailed|PaymentUnconfirmed)$/);
      expect(await isOffered()).toBe(false);
      expect(await createOrder(shop, buyer, { method, currency })).toMatchObject({
        code: 'MethodUnavailable',
      });
      expect(await methodsOf(shop, buyer, { currency })).not.toEqual([]);
      expect(await listed(contract)).toMatchObject({ isFailing: true, because: 'key' });
      expect(await keyCases()).toEqual([contract]);

      await letTrialBeDue(shop, contract);
      expect((await pay(shop, buyer, waiting[1])).code).toBe(first.code);
      expect(await isOffered()).toBe(false);
      expect(await keyCases()).toEqual([contract]);

      await use(right);
      await letTrialBeDue(shop, contract);
      const paid = await place();
      expect(await pay(shop, buyer, paid)).toMatchObject({ isSuccess: true });
      expect(await isOffered()).toBe(true);
      expect(await listed(contract)).toMatchObject({ isFailing: false, because: null });
      expect(await keyCases()).toEqual([]);
    },
  );

  test('the worker detects an API key that the provider rejects, even if the payment page opened without a provider call', async () => {
    const currency = 'CNY';
    const isOffered = async () => (await methodsOf(shop, buyer, { currency })).includes('alipay');
    const order = await givenOrder(shop, buyer, { method: 'alipay', currency });
    const privateKey = strangersKey();
    const right = await use(worlds.alipay.open({ privateKey, desktop: 'page' }));
    expect(await pay(shop, buyer, order)).toMatchObject({ isSuccess: true });
    expect(await isOffered()).toBe(true);

    const letWorkerAsk = () =>
      shop.db.transaction((tx) =>
        tx.run(sql`
          update payment_attempts set next_check_at = now()
          where payment_id = ${order.paymentId}`),
      );
    const stop = shop.startWorker();
    await letWorkerAsk();
    await eventually(async () => !(await isOffered()));
    await eventually(async () => (await keyCases()).includes('alipay'));

    await use(right);
    await letTrialBeDue(shop, 'alipay');
    await letWorkerAsk();
    await eventually(async () => (await keyCases()).length === 0);
    expect(await listed('alipay')).toMatchObject({ isFailing: false });
    await stop();
  });

  test('an API key rejected by the provider more than an hour after its operator case was resolved opens a new case', async () => {
    const fail = async () => {
      const order = await givenOrder(shop, buyer);
      const before = await use(
        openStripe({ secretKey: 'sk_old', webhookSecrets: ['whsec'], apiBase: shop.stripe.url }),
      );
      expect(await pay(shop, buyer, order)).toMatchObject({ code: 'PaymentInitiationFailed' });
      await use(before);
      await letTrialBeDue(shop, 'stripe');
    };
    await fail();
    const [open] = (await openCases(shop.db)).filter(({ kind }) => kind === 'provider_key');
    const id = open?.id ?? '';
    await shop.db.transaction((tx) => resolveCase(tx, { id, by: 'mira', resolution: 'known' }));
    await fail();
    expect(await keyCases()).toEqual([]);
    await shop.db.transaction((tx) =>
      tx.run(sql`update cases set resolved_at = now() - interval '61 minutes' where id = ${id}`),
    );
    await fail();
    expect(await keyCases()).toEqual(['stripe']);
    await trustProvider(shop);
  });
});
