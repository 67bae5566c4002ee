import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { reportOf } from '../auditor/src/report.ts';
import { checkBooks } from '../tools/books/check-books.ts';
import { waitUntil } from '../tools/process/wait-until.ts';
import { openAcknowledgements } from './acknowledgements.ts';
import { balanceOf } from './balance.ts';
import { invented, type PaymentNames, type ProviderEvent } from './forgeries.ts';
import { inParallel } from './in-parallel.ts';
import { givenPlayers, type Player } from './players.ts';
import { logProgress } from './progress.ts';
import { providerBalanceDifferences } from './provider-balance.ts';
import { openPage, orderPoints, type PurchaseContext } from './purchases.ts';
import { randomOfThisRun } from './random.ts';
import { latencyOf, type Sent, sendWebhooks } from './send-webhooks.ts';
import { openShop, type Shop } from './shop.ts';
import { untilIdle } from './until-idle.ts';
import { planWebhooks } from './webhook-plan.ts';

const eventsWanted = Number(process.env.DRILL_EVENTS || 10_000);
// The provider sends three events for each payment: for the charge, the intent and the session.
const paymentsWanted = Math.ceil(eventsWanted / 3);
const unpaidWanted = 60;
const pack = { itemId: 'epoint_500', quantity: 1 };

test('each payment is credited once although ten thousand webhooks are duplicated, reordered, forged, stale or lost', async () => {
  const random = randomOfThisRun();
  const shop = await openShop({
    apis: 2,
    workers: 2,
    // Polling is delayed until the test triggers it.
    serverEnv: { PAYMENT_CHECK_SECONDS: '3600,2,3600' },
  });
  onTestFinished(shop.close);
  await shop.provider.tell('/__sandbox/webhooks', { url: '' });
  const players = await givenPlayers(shop, 20, random);
  const payments = await openPayments(shop, players, paymentsWanted + unpaidWanted);
  const paid = payments.slice(unpaidWanted);
  const unpaid = payments.slice(0, unpaidWanted);
  await payAll(shop, paid);
  const events = await eventsOf(shop);
  expect(events.length).toBeGreaterThanOrEqual(eventsWanted);

  const inventedEvents = unpaid.map((as) => {
    const of = random.pick(paid);
    const told = events.filter(({ paymentId }) => paymentId === of.paymentId);
    return invented(random.pick(told), { of, as });
  });
  const { sends, ordersWithoutEvents } = planWebhooks(events, inventedEvents, random);
  logProgress(
    `${events.length} events of ${paid.length} payments, ${sends.length} webhooks to send`,
  );
  const sent = await shop.during(
    sendWebhooks(sends, {
      apis: shop.stack.apis,
      secret: shop.stack.webhookSecret,
      others: events,
      random,
      onProgress: (count) => logProgress(`${count} of ${sends.length} sent`),
    }),
  );
  const genuine = sent.filter(({ kind }) => kind === 'genuine');
  logProgress(`answers in ms: ${JSON.stringify(latencyOf(genuine))}`);
  expect(countStatuses(sent)).toEqual({
    'genuine 200': genuine.length,
    'not genuine 400': sent.length - genuine.length,
  });
  await shop.during(untilIdle(shop));
  expect(await inboxBeyond(shop, genuine)).toEqual([]);
  expect(await unpaidOrders(shop)).toEqual(
    new Set([...ordersWithoutEvents, ...unpaid.map(({ paymentId }) => paymentId)]),
  );

  await letBeAsked(shop);
  await waitUntil(async () => (await unpaidOrders(shop)).size === unpaid.length, {
    timeoutMs: 10 * 60_000,
    what: 'payments without a webhook are not found by polling',
  });
  logProgress(`${ordersWithoutEvents.size} payments without a webhook were found by polling`);
  await shop.during(untilIdle(shop));

  expect(await unpaidOrders(shop)).toEqual(new Set(unpaid.map(({ paymentId }) => paymentId)));
  expect(await balancesApart(players, paid)).toEqual([]);
  const books = reportOf(await checkBooks(shop.stack, Date.now() + 10 * 60_000));
  logProgress(books.text);
  expect(books.isGreen).toBe(true);
  expect(await shop.during(providerBalanceDifferences(shop))).toEqual([]);
});

interface Payment extends PaymentNames {
  player: Player;
  points: bigint;
}

/** Orders for points, each with an open payment page at the provider. */
async function openPayments(
  shop: Shop,
  players: readonly Player[],
  count: number,
): Promise<Payment[]> {
  const context: PurchaseContext = {
    provider: shop.provider,
    acknowledgements: openAcknowledgements(),
  };
  const buyers = Array.from({ length: count }, (_, index) => players[index % players.length]);
  return await inParallel(buyers, 24, async (player, index) => {
    if (player === undefined) throw new Error('There is no player.');
    const { paymentId, quantity, giftQuantity } = await orderPoints(context, player, pack);
    const sessionId = await openPage(context, player, paymentId);
    if ((index + 1) % 1_000 === 0) logProgress(`${index + 1} of ${count} payments opened`);
    return { player, paymentId, sessionId, points: quantity + giftQuantity };
  });
}

async function payAll({ provider }: Shop, payments: readonly Payment[]): Promise<void> {
  for (let from = 0; from < payments.length; from += 500) {
    const ids = payments.slice(from, from + 500).map(({ sessionId }) => sessionId);
    await provider.tell('/__sandbox/sessions/pay', { ids });
  }
}

const Records = z.object({ events: z.array(z.unknown()) });
const Event = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ object: z.object({ metadata: z.object({ paymentId: z.uuid() }) }) }),
});

/** All events of the provider, in the exact bytes that it would send. */
async function eventsOf({ provider }: Shop): Promise<ProviderEvent[]> {
  const { events } = Records.parse(await provider.ask('/__sandbox/records?limit=100000'));
  return events.map((raw) => {
    const { id, type, data } = Event.parse(raw);
    const { paymentId } = data.object.metadata;
    return { id, type, paymentId, text: JSON.stringify(raw, null, 2) };
  });
}

function countStatuses(sent: readonly Sent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, status } of sent) {
    const name = `${kind === 'genuine' ? 'genuine' : 'not genuine'} ${status}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Inbox rows without a genuine webhook, and genuine webhooks without a row. */
async function inboxBeyond(shop: Shop, genuine: readonly Sent[]): Promise<string[]> {
  const rows = await shop.query<{ event_id: string; raw_body: Buffer; signature: string }>(
    'select event_id, raw_body, signature from provider_inbox',
  );
  const believable = Map.groupBy(genuine, ({ event }) => event.id);
  const wrong = rows.filter(({ event_id, raw_body, signature }) => {
    const letters = believable.get(event_id) ?? [];
    return !letters.some((letter) => {
      const headers = JSON.stringify({ 'stripe-signature': letter.signature });
      return headers === signature && raw_body.equals(Buffer.from(letter.event.text));
    });
  });
  const kept = new Set(rows.map(({ event_id }) => event_id));
  const missing = [...believable.keys()].filter((id) => !kept.has(id));
  return [...wrong.map(({ event_id }) => `${event_id} is not genuine`), ...missing];
}

async function unpaidOrders(shop: Shop): Promise<Set<string>> {
  const rows = await shop.query<{ payment_id: string }>(
    'select payment_id from orders where paid_at is null',
  );
  return new Set(rows.map(({ payment_id }) => payment_id));
}

/** Makes all open payments due for polling. */
async function letBeAsked(shop: Shop): Promise<void> {
  await shop.query(
    `update payment_attempts set next_check_at = now() where state in ('opening', 'open')`,
  );
}

/** Players whose points differ from those that they paid for. */
async function balancesApart(
  players: readonly Player[],
  paid: readonly Payment[],
): Promise<string[]> {
  const bought = Map.groupBy(paid, ({ player }) => player.name);
  const apart = await inParallel(players, 4, async (player) => {
    const expected = (bought.get(player.name) ?? []).reduce((sum, { points }) => sum + points, 0n);
    const has = await balanceOf(player);
    return has === expected ? [] : [`${player.name} has ${has} points and paid for ${expected}`];
  });
  return apart.flat();
}
