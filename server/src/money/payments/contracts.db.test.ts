import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  chargesOf,
  createOrder,
  givenBuyer,
  givenOrder,
  openPage,
  pay,
  payAtProvider,
  sessionsOf,
  untilShown,
} from '../../../test/buying.ts';
import {
  askRefund,
  captureOf,
  casesOf,
  givenDispute,
  refundsAt,
} from '../../../test/money-back.ts';
import { operate } from '../../../test/operate.ts';
import { atDesk, type OrderKey, recordsOf } from '../../../test/orders.ts';
import { shopEnvironment } from '../../../test/processes.ts';
import { methodsOf } from '../../../test/routing.ts';
import { eventually, type TestShop, trustProvider } from '../../../test/shop.ts';
import { euKey, euSecrets, openTwoAccounts, type TwoAccounts } from '../../../test/two-accounts.ts';
import { eventsAbout, inboxOf, postWebhook, sessionEvent, signed } from '../../../test/webhooks.ts';
import { sql } from '../../platform/db.ts';
import { createApi, openShop } from '../../wiring/app.ts';
import { readConfig } from '../../wiring/config.ts';
import { queueReconciliation } from '../reconciliation/reconciliation.ts';
import { openPayment } from './payments.ts';

// Tests of two sites with separate accounts at the same provider.

let both: TwoAccounts;
let home: TestShop;
let eu: TestShop;
let homeBuyer: Buyer;
let euBuyer: Buyer;
beforeAll(async () => {
  // Polling is off, so payments advance only through webhooks sent to the right address.
  both = await openTwoAccounts({ PAYMENT_CHECK_SECONDS: '3600' });
  ({ home, eu } = both);
  home.startWorker();
  homeBuyer = await givenBuyer(home);
  euBuyer = await givenBuyer(eu);
});
beforeEach(async () => {
  await both.choose('stripe-eu');
  for (const { stripe } of [home, eu]) await stripe.tell('/__sandbox/webhooks', { plan: {} });
});
afterAll(() => both.closeAll());

async function buy(shop: TestShop, buyer: Buyer): Promise<OrderKey> {
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  return order;
}

/** The contracts of the payment attempts of an order, oldest first. */
async function contractsOf({ paymentId }: OrderKey): Promise<string[]> {
  const attempts = await home.db.many(
    z.object({ psp: z.string() }),
    sql`select psp from payment_attempts where payment_id = ${paymentId} order by attempt_id`,
  );
  return attempts.map(({ psp }) => psp);
}

/** An order of the second site with an open payment page. */
async function givenEuPage() {
  const order = await givenOrder(eu, euBuyer);
  const sessionId = await openPage(eu, euBuyer, order);
  const [attempt] = (await recordsOf(home.db, order)).attempts;
  if (attempt === undefined) throw new Error('the order has no payment attempt');
  return { order, sessionId, reference: { ...order, attemptId: attempt.attempt_id } };
}

const refused = { isSuccess: false, code: 'MethodUnavailable' };

describe('sites with separate accounts', () => {
  test('a payment is taken by the provider account of its own site, and its webhook is stored for that account only', async () => {
    const here = await buy(home, homeBuyer);
    const there = await buy(eu, euBuyer);

    expect(await chargesOf(home, here)).toHaveLength(1);
    expect(await chargesOf(eu, here)).toEqual([]);
    expect(await chargesOf(eu, there)).toHaveLength(1);
    expect(await chargesOf(home, there)).toEqual([]);
    expect(await contractsOf(here)).toEqual(['stripe']);
    expect(await contractsOf(there)).toEqual(['stripe-eu']);
    const [session] = await sessionsOf(eu, there);
    const [event] = await eventsAbout(eu, session?.id ?? '');
    if (event === undefined) throw new Error('the account sent no event');
    expect(await inboxOf(home.db, event, 'stripe-eu')).toMatchObject([{ outcome: 'complete' }]);
    expect(await inboxOf(home.db, event, 'stripe')).toEqual([]);
  });

  test('a site keeps selling while the provider account of another site does not answer', async () => {
    const match = 'POST /v1/checkout/sessions';
    const fault = { match, kind: 'http500_before', stored: false, times: 1000 };
    await eu.stripe.tell('/__sandbox/faults', fault);
    const isOffered = async () => (await methodsOf(eu, euBuyer, {})).includes('card');
    for (let orders = 0; orders < 12 && (await isOffered()); orders += 1) {
      const order = await givenOrder(eu, euBuyer);
      expect(await pay(eu, euBuyer, order)).toMatchObject({ code: 'PaymentUnconfirmed' });
    }
    expect(await isOffered()).toBe(false);
    expect(await createOrder(eu, euBuyer)).toMatchObject(refused);

    expect(await methodsOf(home, homeBuyer, {})).toContain('card');
    await buy(home, homeBuyer);

    await eu.stripe.tell('/__sandbox/reset', {});
    await trustProvider(home, 'stripe-eu');
    expect(await isOffered()).toBe(true);
  });
});

describe('webhooks of separate accounts', () => {
  test('a webhook of one provider account is refused at the webhook URL of another account', async () => {
    const { sessionId, reference } = await givenEuPage();
    const event = sessionEvent(sessionId, reference);
    const [euSecret] = euSecrets;

    expect(await postWebhook(home, signed(event, { secret: euSecret }), 'stripe')).toBe(400);
    expect(await postWebhook(home, signed(event), 'stripe-eu')).toBe(400);

    expect(await inboxOf(home.db, event, 'stripe')).toEqual([]);
    expect(await inboxOf(home.db, event, 'stripe-eu')).toEqual([]);
  });

  test('a genuine webhook that names a payment of another merchant account changes nothing', async () => {
    await eu.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
    const { order, sessionId, reference } = await givenEuPage();
    await payAtProvider(eu, sessionId);
    const event = sessionEvent(sessionId, reference);

    expect(await postWebhook(home, signed(event))).toBe(200);
    const processed = await eventually(async () => {
      const [row] = await inboxOf(home.db, event);
      return row !== undefined && row.processed_at !== null && row;
    });
    expect(processed.outcome).toBe('unknown_attempt');
    expect(await recordsOf(home.db, order)).toMatchObject({
      order: { state: 'paying', version: 1 },
      transfers: [],
      delivery: undefined,
    });

    // The same event is accepted at the address of its own contract.
    const [secret] = euSecrets;
    expect(await postWebhook(home, signed(event, { secret }), 'stripe-eu')).toBe(200);
    await untilShown(eu, euBuyer, order, 'Fulfilled');
  });

  test('a webhook about a capture id that two provider accounts use changes only the order of the account that sent it', async () => {
    const [here, there] = [await buy(home, homeBuyer), await buy(eu, euBuyer)];
    const [own, same] = [await captureOf(eu, there), await captureOf(home, here)];
    const rename = (captureId: string) =>
      home.db.transaction((tx) =>
        tx.run(sql`
          update payment_attempts set capture_id = ${captureId}
          where payment_id = ${there.paymentId}`),
      );
    await rename(same);

    await givenDispute(home, here);
    await eventually(async () => (await casesOf(home.db, here)).length > 0);

    expect(await casesOf(home.db, there)).toEqual([]);
    await rename(own);
  });

  test('a webhook is verified with the secrets of its own merchant account while the secrets are rotated', async () => {
    const [old, next] = euSecrets;
    const about = async (secret: string | undefined, contract: string, shop = home) => {
      const { sessionId, reference } = await givenEuPage();
      const event = sessionEvent(sessionId, reference, 'checkout.session.unheard_of');
      return await postWebhook(
        shop,
        signed(event, secret === undefined ? {} : { secret }),
        contract,
      );
    };
    expect(await about(old, 'stripe-eu')).toBe(200);
    expect(await about(next, 'stripe-eu')).toBe(200);
    expect(await about(next, 'stripe')).toBe(400);

    const changed = { ...shopEnvironment(home), LOG_LEVEL: 'silent', ...both.settings([next]) };
    const later = await openShop(readConfig(changed), 'api');
    const api = await createApi(later);
    const after = { ...home, url: await api.listen({ host: '127.0.0.1', port: 0 }) };
    expect(await about(old, 'stripe-eu', after)).toBe(400);
    expect(await about(next, 'stripe-eu', after)).toBe(200);
    expect(await about(undefined, 'stripe', after)).toBe(200);
    await api.close();
    await later.close();
  });
});

describe("changes of a site's merchant account", () => {
  test('a refund uses the provider account that took the payment, even after the site changed its merchant account', async () => {
    const order = await buy(eu, euBuyer);
    await both.choose(null);

    await askRefund(home, order);
    await untilShown(eu, euBuyer, order, 'Refunded');

    expect(await refundsAt(eu, order)).toMatchObject([{ status: 'succeeded', amount: 499 }]);
    expect(await refundsAt(home, order)).toEqual([]);
  });

  test('a change of a site’s merchant account applies to new payments; open payments keep the old provider account', async () => {
    const waiting = await givenOrder(eu, euBuyer);
    const { order: open, sessionId } = await givenEuPage();
    await both.choose(null);

    expect(await openPage(eu, euBuyer, open)).toBe(sessionId);
    await payAtProvider(eu, sessionId);
    await untilShown(eu, euBuyer, open, 'Fulfilled');
    expect(await contractsOf(open)).toEqual(['stripe-eu']);

    await payAtProvider(home, await openPage(eu, euBuyer, waiting));
    await untilShown(eu, euBuyer, waiting, 'Fulfilled');
    expect(await contractsOf(waiting)).toEqual(['stripe']);
    expect(await chargesOf(eu, waiting)).toEqual([]);
  });

  // Otherwise the payments of one order would be spread over two accounts.
  test.each([
    ['has another contract', null],
    ['names an unknown contract', 'stripe-us'],
  ])(
    'an order stays with the provider account of its first payment attempt when its site %s',
    async (_, now) => {
      const { order, sessionId } = await givenEuPage();
      await expire(sessionId);
      await eventually(async () => (await recordsOf(home.db, order)).order.state === 'created');
      await both.choose(now);

      await payAtProvider(eu, await openPage(eu, euBuyer, order));
      await untilShown(eu, euBuyer, order, 'Fulfilled');
      expect(await contractsOf(order)).toEqual(['stripe-eu', 'stripe-eu']);
    },
  );

  /** Expires the page as an operator would in the provider's dashboard. */
  async function expire(sessionId: string): Promise<void> {
    const path = `/v1/checkout/sessions/${sessionId}/expire`;
    const headers = { authorization: `Bearer ${euKey}` };
    const reply = await fetch(eu.stripe.url + path, { method: 'POST', headers });
    if (!reply.ok) throw new Error(await reply.text());
  }
});

test.each([
  ['does not exist', 'stripe-us'],
  ['belongs to another provider', 'adyen-eu'],
])(
  'a site whose merchant account %s neither offers the payment method nor takes payments',
  async (_what, name) => {
    const waiting = await givenOrder(eu, euBuyer);
    const before = await sessionsOf(home, waiting);
    await both.choose(name);

    expect(await methodsOf(eu, euBuyer, {})).toEqual(['epoint']);
    expect(await createOrder(eu, euBuyer)).toMatchObject(refused);
    expect(await pay(eu, euBuyer, waiting)).toMatchObject(refused);
    // The contract may have been changed since the method was found to be offered.
    const payment = openPayment(home.payments, { ...waiting, locale: 'en-US', payer: atDesk });
    await expect(payment).rejects.toMatchObject({ code: 'MethodUnavailable' });
    expect(await contractsOf(waiting)).toEqual([]);
    expect(await sessionsOf(home, waiting)).toEqual(before);
    expect(await methodsOf(home, homeBuyer, {})).toContain('card');
  },
);

describe('merchant account commands', () => {
  const said = async (...args: string[]) => {
    const { out, status, complaint } = await operate(home, args, { environment: both.settings() });
    return { status, complaint: complaint.trim(), said: out === '' ? null : JSON.parse(out) };
  };
  const why = ['--by', 'ines', '--reason', 'a company of its own'];
  const card = { siteId: 'other', method: 'card', switchedOff: [] };

  test('the operator command site-contract changes the merchant account through which a site is paid and records why', async () => {
    const chosen = await said('site-contract', 'other', 'card', 'default', ...why);
    expect(chosen.said).toEqual([
      { ...card, contract: 'stripe', state: 'offered' },
      expect.objectContaining({ siteId: 'other', method: 'epoint', contract: null }),
    ]);
    const isDefault = async () => (await home.sites.byId('other'))?.contracts.card === undefined;
    await eventually(isDefault);

    const again = await said('site-contract', 'other', 'card', 'stripe-eu', ...why);
    expect(again.said).toContainEqual({ ...card, contract: 'stripe-eu', state: 'offered' });
    await eventually(async () => !(await isDefault()));
    const trace = await home.db.many(
      z.object({ contract: z.string().nullable(), by: z.string(), reason: z.string() }),
      sql`
        select contract, by, reason from contract_changes
        where site_id = 'other' and method = 'card' order by at desc limit 2`,
    );
    const [, by, , reason] = why;
    expect(trace).toEqual([
      { contract: 'stripe-eu', by, reason },
      { contract: null, by, reason },
    ]);
    const wipe = home.db.transaction((tx) => tx.run(sql`delete from contract_changes`));
    await expect(wipe).rejects.toThrow();

    const { said: list } = await said('methods');
    const well = { isFailing: false, because: null, since: null, nextTrialAt: null };
    expect(list.methods).toContainEqual({ ...card, contract: 'stripe-eu', state: 'offered' });
    expect(list.providers).toEqual([
      { contract: 'stripe', provider: 'stripe', ...well },
      { contract: 'stripe-eu', provider: 'stripe', ...well },
      { contract: 'adyen-eu', provider: 'adyen', ...well },
    ]);
  });

  test('the operator command that lists payment methods shows the configured name of a merchant account that does not exist', async () => {
    await both.choose('stripe-us');
    const { said: list } = await said('methods');
    expect(list.methods).toContainEqual({ ...card, contract: 'stripe-us', state: 'no_contract' });
  });

  test('an invalid operator command site-contract is refused with a reason and changes nothing', async () => {
    const refusals = [
      await said('site-contract', 'other', 'card', 'stripe-us', ...why),
      await said('site-contract', 'other', 'card', 'adyen-eu', ...why),
      await said('site-contract', 'other', 'gold', 'stripe-eu', ...why),
      await said('site-contract', 'other', 'epoint', 'stripe-eu', ...why),
      await said('site-contract', 'nowhere', 'card', 'stripe-eu', ...why),
      await said('site-contract', 'other', 'card', 'default', '--by', 'ines'),
      await said('reconcile', 'stripe-us', '2026-11-14', '--by', 'ines'),
    ];
    expect(refusals.map(({ status, complaint }) => [status, complaint])).toEqual([
      [1, 'there is no contract stripe-us for card'],
      [1, 'there is no contract adyen-eu for card'],
      [1, 'there is no method gold'],
      [1, 'points are taken by the shop itself'],
      [1, 'there is no site nowhere'],
      [1, '--reason is missing'],
      [1, 'there is no contract stripe-us'],
    ]);
    expect((await home.sites.byId('other'))?.contracts).toEqual({ card: 'stripe-eu' });
  });
});

const Line = z.object({ psp: z.string(), payment_id: z.uuid() });

test('settlement files of two accounts with the same provider are compared with the ledger separately, and both agree with it', async () => {
  const [here, there] = [await buy(home, homeBuyer), await buy(eu, euBuyer)];
  const day = new Date().toISOString().slice(0, 10);
  for (const psp of ['stripe', 'stripe-eu']) {
    await home.db.transaction((tx) => queueReconciliation(tx, home.payments, { psp, day }));
  }
  await eventually(async () => {
    await home.db.transaction((tx) =>
      tx.run(sql`
        update pgboss.job set start_after = now()
        where name = 'reconcile_day' and state = 'created' and start_after > now()`),
    );
    const days = await home.db.many(
      z.object({ psp: z.string() }),
      sql`select psp from settlement_days where compared_at is not null order by psp`,
    );
    return days.map(({ psp }) => psp).join() === 'stripe,stripe-eu';
  });

  const lines = await home.db.many(
    Line,
    sql`
      select lines.psp, payment_id from settlement_lines as lines
      join payment_attempts as attempts using (capture_id)
      where lines.kind = 'capture'`,
  );
  expect(lines.filter((line) => line.payment_id === here.paymentId)).toEqual([
    { psp: 'stripe', payment_id: here.paymentId },
  ]);
  expect(lines.filter((line) => line.payment_id === there.paymentId)).toEqual([
    { psp: 'stripe-eu', payment_id: there.paymentId },
  ]);
  const cases = await home.db.many(
    z.object({ subject: z.string() }),
    sql`select subject from cases where kind = 'settlement'`,
  );
  expect(cases).toEqual([]);
});
