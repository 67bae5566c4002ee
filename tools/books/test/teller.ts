import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
} from '../../../server/test/buying.ts';
import { refundsAt } from '../../../server/test/money-back.ts';
import { shopEnvironment } from '../../../server/test/processes.ts';
import { eventually, send, type TestShop } from '../../../server/test/shop.ts';

/** A shop with its sandbox and direct access to its tables, for producing stories. */
export interface Teller {
  shop: TestShop;
  admin: pg.Client;
  buyer: Buyer;
}

export type Order = { accountId: string; paymentId: string };

export async function openTeller(shop: TestShop): Promise<Teller> {
  const admin = new pg.Client({ connectionString: shop.databaseUrl });
  await admin.connect();
  return { shop, admin, buyer: await givenBuyer(shop) };
}

/** An order for a pack of 300, paid by card, that has reached the given state. */
export async function buy(teller: Teller, state = 'arrived'): Promise<Order> {
  const order = await place(teller);
  await payAtProvider(teller.shop, await openPage(teller.shop, teller.buyer, order));
  await untilState(teller, order, state);
  return order;
}

export function place({ shop, buyer }: Teller): Promise<Order> {
  return givenOrder(shop, buyer);
}

export async function open(teller: Teller): Promise<Order> {
  const order = await place(teller);
  await openPage(teller.shop, teller.buyer, order);
  return order;
}

export async function misfit(
  teller: Teller,
  paid: { amount?: number; currency?: string },
): Promise<Order> {
  const order = await place(teller);
  await payAtProvider(teller.shop, await openPage(teller.shop, teller.buyer, order), paid);
  await until(teller, order, 'review_reason is not null');
  return order;
}

export async function topUp(teller: Teller, itemId: string): Promise<Order> {
  const { shop, buyer } = teller;
  const { data } = await send(shop, '/api/payment/order/create/epoint', {
    cookie: buyer.cookie,
    body: { clientOrderId: randomUUID(), itemId, quantity: 1, method: 'card', system: 'android' },
  });
  const { paymentId } = z.object({ paymentId: z.uuid() }).parse(data);
  const order = { accountId: buyer.accountId, paymentId };
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilState(teller, order, 'arrived');
  return order;
}

export async function spend(teller: Teller, itemId: string, state = 'arrived'): Promise<Order> {
  const { shop, buyer } = teller;
  const order = await givenOrder(shop, buyer, { itemId, method: 'epoint' });
  await send(shop, '/api/payment/order/epoint/pay', {
    cookie: buyer.cookie,
    body: { paymentId: order.paymentId },
  });
  await untilState(teller, order, state);
  return order;
}

/** Opens a dispute, and waits until the shop has recorded it. */
export async function dispute(teller: Teller, order: Order): Promise<string> {
  const paymentIntent = await captureOf(teller, order);
  const opened = { paymentIntent, stage: 'open' };
  const made = await teller.shop.stripe.tell('/__sandbox/disputes', opened);
  await until(teller, order, 'is_disputed');
  return z.object({ id: z.string() }).parse(made).id;
}

export async function decide({ shop }: Teller, disputeId: string, stage: string): Promise<void> {
  await shop.stripe.tell(`/__sandbox/disputes/${disputeId}`, { stage });
}

/** Refunds in the provider's dashboard; everything by default. */
export async function refundAtProvider(
  teller: Teller,
  order: Order,
  amount?: number,
): Promise<void> {
  const captureId = await captureOf(teller, order);
  const body = amount === undefined ? {} : { amount };
  await teller.shop.stripe.tell(`/__sandbox/charges/${captureId}/refund`, body);
}

/** Returns a completed refund from the payer's bank. */
export async function comeBack(teller: Teller, order: Order): Promise<void> {
  const [refund] = await refundsAt(teller.shop, order);
  await teller.shop.stripe.tell(`/__sandbox/refunds/${refund?.id}/settle`, { status: 'failed' });
}

async function captureOf({ admin }: Teller, { paymentId }: Order): Promise<string> {
  const { rows } = await admin.query<{ capture_id: string }>(
    'select capture_id from payment_attempts where payment_id = $1',
    [paymentId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${paymentId} was not paid`);
  return row.capture_id;
}

export async function untilState(teller: Teller, order: Order, state: string): Promise<void> {
  await until(teller, order, `state = '${state}'`);
}

/** Waits until the condition holds for the order. */
export async function until({ admin }: Teller, { paymentId }: Order, isSo: string): Promise<void> {
  await eventually(async () => {
    const found = await admin.query(`select from orders where payment_id = $1 and ${isSo}`, [
      paymentId,
    ]);
    return found.rowCount === 1;
  });
}

export async function untilRefund(
  { admin }: Teller,
  { paymentId }: Order,
  state: string,
): Promise<void> {
  await eventually(async () => {
    const found = await admin.query('select from refunds where payment_id = $1 and state = $2', [
      paymentId,
      state,
    ]);
    return found.rowCount === 1;
  });
}

export async function untilRevoked({ admin }: Teller, { paymentId }: Order): Promise<void> {
  await eventually(async () => {
    const found = await admin.query(
      `select from revocations where payment_id = $1 and state = 'answered'`,
      [paymentId],
    );
    return found.rowCount === 1;
  });
}

const operator = fileURLToPath(new URL('../../../server/src/operate.ts', import.meta.url));

/** Runs an operator command. */
export async function operate(shop: TestShop, command: string[]): Promise<void> {
  const env = { ...shopEnvironment(shop), LOG_LEVEL: 'silent' };
  await promisify(execFile)(process.execPath, [operator, ...command, '--by', 'auditor'], { env });
}
