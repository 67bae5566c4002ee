import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { giveUpOn, letGo } from '../../../../test/hanging.ts';
import { eventually } from '../../../../test/shop.ts';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider, PaymentRequest } from '../psp.ts';
import {
  givenRequest,
  type PaypalWorld,
  silences,
  startPaypalWorld,
} from '../test/paypal-world.ts';

let world: PaypalWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startPaypalWorld();
  provider = world.provider;
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterAll(() => world.outsider.stop());

const create = 'POST /v2/checkout/orders';
const token = 'POST /v1/oauth2/token';

async function ordersOf({ reference }: PaymentRequest) {
  const { orders } = await world.records();
  return orders.filter((order) => JSON.stringify(order).includes(reference.attemptId));
}

/** Approves the order as a player, captures it twice as the shop, and returns the charges. */
async function payWhatIsThere(request: PaymentRequest, pspRef: string) {
  await world.approve(pspRef);
  const { reference, money } = request;
  await world.capture({ pspRef, reference, money });
  await world.capture({ pspRef, reference, money });
  const { charges } = await world.records();
  return charges.filter(({ paymentId }) => paymentId === reference.paymentId);
}

describe('PayPal creates with an unclear answer', () => {
  const unit = 'purchase_units.0';
  const answers: [string, object][] = [
    ['with another amount', { [`${unit}.amount.value`]: '5.99' }],
    ['with another currency', { [`${unit}.amount.currency_code`]: 'EUR' }],
    ['with an unsupported currency', { [`${unit}.amount.currency_code`]: 'GBP' }],
    ['with another reference', { [`${unit}.custom_id`]: threeIds() }],
    ['with a malformed reference', { [`${unit}.custom_id`]: 'somebody' }],
    ['without an amount', { [`${unit}.amount`]: null }],
    ['with two purchase units', { purchase_units: [{}, {}] }],
    ['with no purchase unit', { purchase_units: [] }],
    ['without an approval link', { links: [] }],
    ['with a malformed approval link', { links: [{ rel: 'payer-action', href: 'somewhere' }] }],
    ['with a path as order id', { id: '../../v1/oauth2/token' }],
  ];
  const all: [string, string, object][] = [
    ...silences.map(([what, kind, more]): [string, string, object] => [what, kind, more]),
    ...answers.map(([what, changes]): [string, string, object] => [
      `an answer ${what}`,
      'altered',
      { changes },
    ]),
  ];

  test.each(all)(
    'the PayPal adapter reports a payment creation answered by %s as unknown, and its retry makes one order and one charge',
    async (_what, kind, more) => {
      const request = givenRequest();
      await world.fault(create, kind, more);
      expect(await provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
      const again = await provider.createPayment(request);
      expect(again).toMatchObject({ outcome: 'created' });
      const orders = await ordersOf(request);
      expect(orders).toHaveLength(1);
      const pspRef = again.outcome === 'created' ? again.pspRef : '';
      expect(await payWhatIsThere(request, pspRef)).toHaveLength(1);
    },
  );

  test('the PayPal adapter reports a payment creation without an answer in time as unknown, and its retry makes one order', async () => {
    const request = givenRequest();
    await world.fault(create, 'hang');
    const { result } = await giveUpOn(world.outsider, () => provider.createPayment(request));
    expect(result).toMatchObject({ outcome: 'unknown' });
    // The first request is still in progress and makes the only order.
    await letGo(world.outsider);
    await eventually(async () => (await ordersOf(request)).length === 1);
    const again = await provider.createPayment(request);
    expect(again).toMatchObject({ outcome: 'created', pspRef: (await ordersOf(request))[0]?.id });
    expect(await ordersOf(request)).toHaveLength(1);
  });

  test.each(silences)(
    'the PayPal adapter reports a payment creation as unknown when its token call is answered by %s; a retry makes one order',
    async (_what, kind, more) => {
      const request = givenRequest();
      const own = world.open();
      // The altered answers change fields of an order; a token answer has only the token to change.
      const isAltered = kind === 'altered';
      await world.fault(token, kind, isAltered ? { changes: { access_token: null } } : more);
      expect(await own.createPayment(request)).toMatchObject({ outcome: 'unknown' });
      expect(await own.createPayment(request)).toMatchObject({ outcome: 'created' });
      expect(await ordersOf(request)).toHaveLength(1);
    },
  );

  test('ten concurrent payment creations of the PayPal adapter with one attempt id make one order', async () => {
    const request = givenRequest();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => provider.createPayment(request)),
    );
    expect(results.some(({ outcome }) => outcome === 'rejected')).toBe(false);
    expect(await ordersOf(request)).toHaveLength(1);
  });
});

function threeIds(): string {
  return [randomUUID(), randomUUID(), randomUUID()].join('.');
}
