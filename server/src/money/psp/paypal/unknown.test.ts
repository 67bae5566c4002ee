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

/** What a player does once the shop knows where to send them, and what a shop does then. */
async function payWhatIsThere(request: PaymentRequest, pspRef: string) {
  await world.approve(pspRef);
  const { reference, money } = request;
  await world.capture({ pspRef, reference, money });
  await world.capture({ pspRef, reference, money });
  const { charges } = await world.records();
  return charges.filter(({ paymentId }) => paymentId === reference.paymentId);
}

describe('a create that leaves us in doubt is unknown, and asked again makes one order and one charge', () => {
  const unit = 'purchase_units.0';
  const answers: [string, object][] = [
    ['about another amount', { [`${unit}.amount.value`]: '5.99' }],
    ['about another currency', { [`${unit}.amount.currency_code`]: 'EUR' }],
    ['about a currency we do not know', { [`${unit}.amount.currency_code`]: 'GBP' }],
    ['about another account', { [`${unit}.custom_id`]: threeIds() }],
    ['about nobody', { [`${unit}.custom_id`]: 'somebody' }],
    ['without an amount', { [`${unit}.amount`]: null }],
    ['of two purchases', { purchase_units: [{}, {}] }],
    ['of no purchase', { purchase_units: [] }],
    ['without a page', { links: [] }],
    ['with a page that is none', { links: [{ rel: 'payer-action', href: 'somewhere' }] }],
    ['with a name that is a path', { id: '../../v1/oauth2/token' }],
  ];
  const all: [string, string, object][] = [
    ...silences.map(([what, kind, more]): [string, string, object] => [what, kind, more]),
    ...answers.map(([what, changes]): [string, string, object] => [
      `an answer ${what}`,
      'altered',
      { changes },
    ]),
  ];

  test.each(all)('%s', async (_what, kind, more) => {
    const request = givenRequest();
    await world.fault(create, kind, more);
    expect(await provider.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    const again = await provider.createPayment(request);
    expect(again).toMatchObject({ outcome: 'created' });
    const orders = await ordersOf(request);
    expect(orders).toHaveLength(1);
    const pspRef = again.outcome === 'created' ? again.pspRef : '';
    expect(await payWhatIsThere(request, pspRef)).toHaveLength(1);
  });

  test('no answer in time', async () => {
    const request = givenRequest();
    await world.fault(create, 'hang');
    const { result } = await giveUpOn(world.outsider, () => provider.createPayment(request));
    expect(result).toMatchObject({ outcome: 'unknown' });
    // The first one is still at work, and is the one.
    await letGo(world.outsider);
    await eventually(async () => (await ordersOf(request)).length === 1);
    const again = await provider.createPayment(request);
    expect(again).toMatchObject({ outcome: 'created', pspRef: (await ordersOf(request))[0]?.id });
    expect(await ordersOf(request)).toHaveLength(1);
  });

  test.each(silences)('%s instead of a token', async (_what, kind, more) => {
    const request = givenRequest();
    const own = world.open();
    // Whatever a fault changes in an order, in a token it is the token.
    const isAltered = kind === 'altered';
    await world.fault(token, kind, isAltered ? { changes: { access_token: null } } : more);
    expect(await own.createPayment(request)).toMatchObject({ outcome: 'unknown' });
    expect(await own.createPayment(request)).toMatchObject({ outcome: 'created' });
    expect(await ordersOf(request)).toHaveLength(1);
  });

  test('ten that ask at once', async () => {
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
