import { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { chromiumPath } from '../../../tools/chromium.ts';
import { sql } from '../../src/platform/db.ts';
import { type Buyer, detailOf, givenBuyer, givenOrder, pay, untilShown } from '../buying.ts';
import { askRefund, attemptOf, runJob } from '../money-back.ts';
import { booksOf, brokenLinks, letExpire, type OrderKey, recordsOf } from '../orders.ts';
import { payWithPoints } from '../point-buying.ts';
import { dayIn, reconcileDay, settlementCases } from '../reconciling.ts';
import { eventually, openTestShop, type TestShop } from '../shop.ts';
import type { Counterpart, ProviderOutside, Rig } from './rig.ts';

const priceMinor = 500;

/** The tests that every payment method has to pass, through the whole shop with a payer in a browser. */
export function mustConform(name: string, start: () => Promise<Rig>): void {
  describe(name, () => describeWay(start));
}

function describeWay(start: () => Promise<Rig>): void {
  let rig: Rig;
  let shop: TestShop;
  let counterpart: Counterpart;
  let browser: Browser;
  let page: Page;
  let buyer: Buyer;

  beforeAll(async () => {
    rig = await start();
    // Periodic checks are off, so the shop learns of payments from webhooks or from the test's queries.
    const neverSeconds = '3600';
    shop = await openTestShop({
      LOG_LEVEL: 'silent',
      PAYMENT_CHECK_SECONDS: neverSeconds,
      ...rig.settings,
    });
    counterpart = rig.open(shop);
    await offer(shop, rig);
    shop.startWorker();
    buyer = await givenBuyer(shop);
    await counterpart.prepare?.(buyer);
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
  });
  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    const { provider } = counterpart;
    if (provider === undefined) return;
    await provider.program.tell('/__sandbox/reset', {});
    const url = `${shop.url}/webhooks/${provider.name}`;
    await provider.program.tell('/__sandbox/webhooks', { url, plan: {} });
  });
  afterEach(() => page?.close());
  afterAll(async () => {
    await browser?.close();
    await shop?.closeAll();
    await rig?.stop();
  });

  const place = () => givenOrder(shop, buyer, { method: rig.method });

  /** Starts the payment of an order and returns the action that the browser has to take. */
  const begin = async (order: OrderKey) =>
    z.object({ action: PaymentAction }).parse((await pay(shop, buyer, order)).data).action;

  /** Places an order and pays it as a player does. */
  async function buy(): Promise<OrderKey> {
    const order = await place();
    const { provider } = counterpart;
    if (provider === undefined) await payWithPoints(shop, buyer, order);
    else await provider.agree(page, await begin(order));
    return order;
  }

  async function bought(): Promise<OrderKey> {
    const order = await buy();
    await untilShown(shop, buyer, order, 'Fulfilled');
    return order;
  }

  const outside = (): ProviderOutside => {
    if (counterpart.provider === undefined)
      throw new Error('this payment method has no outside provider');
    return counterpart.provider;
  };
  const goods = async ({ paymentId }: OrderKey) =>
    Grants.parse(await shop.game.ask(`/__sandbox/grants?paymentId=${paymentId}`)).grants.map(
      ({ revoked }) => (revoked ? 'taken back' : 'given'),
    );

  /** Expects one charge, one grant, and consistent records in the shop. */
  async function expectWhole(order: OrderKey): Promise<void> {
    const taken = await counterpart.takenFor(order);
    expect(taken).toMatchObject([{ amount: priceMinor, currency: rig.currency }]);
    expect(await goods(order)).toEqual(['given']);
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  }

  test('a payer who agrees is charged once and receives the goods', async () => {
    const order = await bought();
    await expectWhole(order);
  });

  test('an order is refunded in two parts, its goods are taken back, and any more is refused', async () => {
    const order = await bought();
    await askRefund(shop, order, { amountMinor: 200n });
    await eventually(async () => (await detailOf(shop, buyer, order)).refundedMinor === 200n);
    expect(await goods(order)).toEqual(['given']);
    await askRefund(shop, order);
    await untilShown(shop, buyer, order, 'Refunded');
    await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect((await counterpart.returnedFor(order)).toSorted()).toEqual([200, 300]);
    await eventually(async () => (await goods(order))[0] === 'taken back');
    const books = Object.entries(await booksOf(shop.db, order));
    expect(books.filter(([, balance]) => balance !== 0n)).toEqual([]);
  });

  describeOutside();

  function describeOutside(): void {
    const ofProviders = (what: string, run: () => Promise<void>) =>
      test(what, async ({ skip }) => {
        skip(counterpart.provider === undefined, 'paid inside the shop');
        await run();
      });

    ofProviders('a payment started twice makes one attempt and one charge', async () => {
      const order = await place();
      const action = await begin(order);
      expect(await begin(order)).toEqual(action);
      await outside().agree(page, action);
      await untilShown(shop, buyer, order, 'Fulfilled');
      await expectWhole(order);
      const attempts = (await recordsOf(shop.db, order)).attempts;
      expect(attempts).toHaveLength(1);
      expect(await inboxOf(shop, outside().name)).toContain('processed');
    });

    ofProviders('a declined payer is not charged and can pay again', async () => {
      const order = await place();
      await outside().decline(page, await begin(order));
      expect(await counterpart.takenFor(order)).toEqual([]);
      expect(await goods(order)).toEqual([]);
      await outside().agree(page, await begin(order));
      await untilShown(shop, buyer, order, 'Fulfilled');
      await expectWhole(order);
    });

    ofProviders('an order whose payer leaves expires without a charge', async () => {
      const order = await place();
      await begin(order);
      await letExpire(shop.db, order);
      await letPagesExpire(shop, order);
      await runJob(shop, 'expire_order', order);
      await untilShown(shop, buyer, order, 'PaymentFailed');
      expect(await counterpart.takenFor(order)).toEqual([]);
    });

    ofProviders(
      'a payment without a webhook is found by a query, or by a late webhook if the provider has no query',
      async () => {
        const { program, isSilent = false } = outside();
        const plan = isSilent ? { delayMs: 60_000 } : { drop: 'all' };
        await program.tell('/__sandbox/webhooks', { plan });
        const order = await buy();
        expect(await goods(order)).toEqual([]);
        await runJob(shop, 'check_attempt', await attemptOf(shop, order));
        if (isSilent) {
          expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Processing' });
          await program.tell('/__sandbox/clock', { advanceSeconds: 60 });
        }
        await untilShown(shop, buyer, order, 'Fulfilled');
        await expectWhole(order);
      },
    );

    ofProviders(
      'a payment whose webhooks are delivered three times is charged and granted once',
      async () => {
        await outside().program.tell('/__sandbox/webhooks', { plan: { duplicate: 2 } });
        await expectWhole(await bought());
      },
    );

    ofProviders('a lost dispute takes the goods back where the provider has disputes', async () => {
      const { capabilities } = (await shop.payments.providers()).get(outside().name) ?? {};
      if (capabilities?.disputes === false) {
        // The provider has no disputes, so its sandbox has no endpoint to open one either.
        const opening = outside().program.tell('/__sandbox/disputes', {});
        await expect(opening).rejects.toThrow('404');
        return;
      }
      const order = await bought();
      const [taken] = await counterpart.takenFor(order);
      const opened = await outside().program.tell('/__sandbox/disputes', {
        paymentIntent: taken?.captureId,
        stage: 'open',
      });
      const { id } = z.object({ id: z.string() }).parse(opened);
      await eventually(async () => (await detailOf(shop, buyer, order)).isDisputed);
      await outside().program.tell(`/__sandbox/disputes/${id}`, { stage: 'lost' });
      await eventually(async () => (await goods(order))[0] === 'taken back');
      expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
    });

    const refundOutside = async (order: OrderKey, amount?: number) => {
      const [taken] = await counterpart.takenFor(order);
      if (taken === undefined) throw new Error('nothing was taken');
      const path = `/__sandbox/charges/${taken.captureId}/refund`;
      await outside().program.tell(path, amount === undefined ? {} : { amount });
    };

    /** Reconciles every day since `first`, because midnight may pass during a test. */
    async function compareSince(first: string): Promise<void> {
      const { name, closeBooks } = outside();
      await closeBooks?.();
      for (const day of new Set([first, dayIn(0)])) await reconcileDay(shop, name, day);
    }

    async function expectAllBack(order: OrderKey): Promise<void> {
      await untilShown(shop, buyer, order, 'Refunded');
      await eventually(async () => (await goods(order))[0] === 'taken back');
      await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
      const books = Object.entries(await booksOf(shop.db, order));
      expect(books.filter(([, balance]) => balance !== 0n)).toEqual([]);
    }

    ofProviders('a refund made on the provider’s pages reaches the order by webhook', async () => {
      const order = await bought();
      await refundOutside(order, 200);
      if (outside().isSilentAboutRefunds === true) return;
      await eventually(async () => (await detailOf(shop, buyer, order)).refundedMinor === 200n);
      await refundOutside(order);
      await expectAllBack(order);
    });

    // One test, because a provider closes its books of a day only once.
    ofProviders(
      'a settlement reveals a refund without a webhook, agrees on other orders, and reports a wrong amount',
      async () => {
        const first = dayIn(0);
        const alike = await bought();
        await askRefund(shop, alike, { amountMinor: 200n });
        await eventually(async () => (await detailOf(shop, buyer, alike)).refundedMinor === 200n);
        const untold = await bought();
        await outside().program.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
        await refundOutside(untold);
        expect(await detailOf(shop, buyer, untold)).toMatchObject({ refundedMinor: 0n });

        await compareSince(first);

        await expectAllBack(untold);
        expect(await settlementCases(shop)).toEqual([]);
        expect(await linesOf(shop, alike)).toEqual([
          { kind: 'capture', amount_minor: 500n },
          { kind: 'refund', amount_minor: -200n },
        ]);
        await forgeLine(shop, alike);
        await compareSince(first);
        expect(await settlementCases(shop)).toMatchObject([
          { payment_id: alike.paymentId, details: { theirs: '499', ours: '500' } },
        ]);
      },
    );
  }
}

/** Changes the amount of a settlement line, as if the provider had booked another amount. */
async function forgeLine({ db }: TestShop, { paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      update settlement_lines set amount_minor = 499
      where kind = 'capture' and capture_id in (
        select capture_id from payment_attempts where payment_id = ${paymentId})`),
  );
}

const Line = z.object({ kind: z.string(), amount_minor: z.bigint() });

/** The settlement lines of an order without fees. */
function linesOf({ db }: TestShop, { paymentId }: OrderKey): Promise<z.output<typeof Line>[]> {
  return db.many(
    Line,
    sql`select lines.kind, lines.amount_minor from settlement_lines as lines
        join payment_attempts using (psp, capture_id)
        where payment_id = ${paymentId} and lines.kind in ('capture', 'refund', 'dispute')
        order by lines.kind`,
  );
}

const Grants = z.object({ grants: z.array(z.object({ revoked: z.boolean() })) });

/** Makes the site offer this payment method in its currency, with one item at the test price. */
async function offer(shop: TestShop, { method, currency }: Rig): Promise<void> {
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`update sites set methods = ${[method]}`);
    if (currency === 'EPOINT') return;
    await tx.run(sql`update sites set currency = ${currency}`);
    await tx.run(sql`delete from item_prices where item_id = 'shards_300'`);
    await tx.run(sql`
      insert into item_prices (item_id, currency, amount_minor)
      values ('shards_300', ${currency}, ${BigInt(priceMinor)})`);
  });
}

/** Ends the payment attempts of an order, because some providers cannot close a page early. */
async function letPagesExpire({ db }: TestShop, { paymentId }: OrderKey): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`update payment_attempts set expires_at = now() where payment_id = ${paymentId}`),
  );
}

/** The processing states of the provider's webhooks. */
async function inboxOf({ db }: TestShop, psp: string): Promise<string[]> {
  const Row = z.object({ state: z.string() });
  const rows = await db.many(
    Row,
    sql`select case when processed_at is null then 'waiting' else 'processed' end as state
        from provider_inbox where psp = ${psp}`,
  );
  return rows.map(({ state }) => state);
}
