import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { Payment, PaymentProvider } from '../psp.ts';
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

const take = 'POST /v2/checkout/orders/:id/capture';

async function chargesOf({ pspRef }: { pspRef: string }) {
  const { charges } = await world.records();
  return charges.filter(({ order }) => order === pspRef);
}

describe('PayPal captures', () => {
  test('the PayPal adapter captures an order only after its approval, even if the payer never returns to the shop', async () => {
    const { payment } = await world.givenOrder();
    expect(await world.capture(payment)).toMatchObject({ status: 'open', captures: [] });
    await fetch(`${world.outsider.url}/checkoutnow/approve-and-stay?token=${payment.pspRef}`, {
      method: 'POST',
      redirect: 'manual',
    });
    expect(await world.capture(payment)).toMatchObject({ status: 'complete' });
  });

  test('a PayPal order that the adapter captures five times concurrently is charged once', async () => {
    const { payment } = await world.givenOrder();
    await world.approve(payment.pspRef);
    const truths = await Promise.all(Array.from({ length: 5 }, () => world.capture(payment)));
    expect(truths.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(await world.capture(payment)).toMatchObject({ status: 'complete' });
    expect(await chargesOf(payment)).toHaveLength(1);
  });

  test('the PayPal adapter captures only one of two PayPal orders created for the same payment attempt', async () => {
    const { request } = await world.givenCapture();
    // After six hours PayPal has forgotten the request id and creates another order.
    await world.outsider.tell('/__sandbox/clock', { advanceSeconds: 6 * 3600 + 60 });
    const again = await provider.createPayment(request);
    const pspRef = again.outcome === 'created' ? again.pspRef : '';
    await world.approve(pspRef);
    const { reference, money } = request;
    expect(await world.capture({ pspRef, reference, money })).toMatchObject({ captures: [] });
    const { charges } = await world.records();
    expect(charges.filter(({ paymentId }) => paymentId === reference.paymentId)).toHaveLength(1);
  });

  test('the PayPal adapter reports an order as open after a declined card, so that the payer can approve it again', async () => {
    const { payment } = await world.givenOrder();
    await world.approve(payment.pspRef, { instrument: 'declined' });
    expect(await world.capture(payment)).toMatchObject({ status: 'open', captures: [] });
    await world.approve(payment.pspRef);
    expect(await world.capture(payment)).toMatchObject({ status: 'complete' });
  });

  test('the PayPal adapter reports a payment under review as open and cannot close it, and a declined one as closed', async () => {
    const { payment } = await world.givenOrder();
    await world.approve(payment.pspRef, { instrument: 'pending' });
    expect(await world.capture(payment)).toMatchObject({ status: 'open', captures: [] });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'unknown' });
    const [charge] = await chargesOf(payment);
    await world.outsider.tell(`/__sandbox/captures/${charge?.id}/settle`, { status: 'DECLINED' });
    expect(await provider.queryPayment(payment)).toMatchObject({ status: 'closed', captures: [] });
    expect(await provider.closePayment(payment)).toEqual({ outcome: 'closed' });
  });

  test.each<[string, (payment: Payment) => Payment]>([
    ['another amount', (payment) => ({ ...payment, money: { amountMinor: 1n, currency: 'USD' } })],
    [
      'another currency',
      (payment) => ({ ...payment, money: { amountMinor: 499n, currency: 'EUR' } }),
    ],
    ['another attempt', (payment) => ({ ...payment, reference: givenRequest().reference })],
  ])(
    "the PayPal adapter does not capture an approved PayPal order that has %s than the shop's payment",
    async (_what, changed) => {
      const { payment } = await world.givenOrder();
      await world.approve(payment.pspRef);
      expect(await world.capture(changed(payment))).toMatchObject({ outcome: 'unknown' });
      expect(await chargesOf(payment)).toEqual([]);
    },
  );

  test.each(silences)(
    'a PayPal capture answered by %s and repeated by the adapter charges the payer once',
    async (_what, kind, more) => {
      const { payment } = await world.givenOrder();
      await world.approve(payment.pspRef);
      await world.fault(take, kind, more);
      await world.capture(payment);
      expect(await world.capture(payment)).toMatchObject({ status: 'complete' });
      expect(await chargesOf(payment)).toHaveLength(1);
    },
  );
});
