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

/** A shop with its sandbox and direct access to its tables, for producing scenarios. */
export interface ScenarioContext {
  shop: TestShop;
  admin: pg.Client;
  buyer: Buyer;
}

export type Order = { accountId: string; paymentId: string };

export async function openScenarioContext(shop: TestShop): Promise<ScenarioContext> {
  const admin = new pg.Client({ connectionString: shop.databaseUrl });
  await admin.connect();
  return { shop, admin, buyer: await givenBuyer(shop) };
}

/** An order for a pack of 300, paid by card, that has reached the given state. */
export async function buy(context: ScenarioContext, state = 'arrived'): Promise<Order> {
  const order = await place(context);
  await payAtProvider(context.shop, await openPage(context.shop, context.buyer, order));
  await untilState(context, order, state);
  return order;
}

export function place({ shop, buyer }: ScenarioContext): Promise<Order> {
  return givenOrder(shop, buyer);
}

export async function open(context: ScenarioContext): Promise<Order> {
  const order = await place(context);
  await openPage(context.shop, context.buyer, order);
  return order;
}

export async function payWrongAmount(
  context: ScenarioContext,
  paid: { amount?: number; currency?: string },
): Promise<Order> {
  const order = await place(context);
  await payAtProvider(context.shop, await openPage(context.shop, context.buyer, order), paid);
  await until(context, order, 'review_reason is not null');
  return order;
}

export async function topUp(context: ScenarioContext, itemId: string): Promise<Order> {
  const { shop, buyer } = context;
  const { data } = await send(shop, '/api/payment/order/create/epoint', {
    cookie: buyer.cookie,
    body: { clientOrderId: randomUUID(), itemId, quantity: 1, method: 'card', system: 'android' },
  });
  const { paymentId } = z.object({ paymentId: z.uuid() }).parse(data);
  const order = { accountId: buyer.accountId, paymentId };
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilState(context, order, 'arrived');
  return order;
}

export async function spend(
  context: ScenarioContext,
  itemId: string,
  state = 'arrived',
): Promise<Order> {
  const { shop, buyer } = context;
  const order = await givenOrder(shop, buyer, { itemId, method: 'epoint' });
  await send(shop, '/api/payment/order/epoint/pay', {
    cookie: buyer.cookie,
    body: { paymentId: order.paymentId },
  });
  await untilState(context, order, state);
  return order;
}

/** Opens a dispute, and waits until the shop has recorded it. */
export async function dispute(context: ScenarioContext, order: Order): Promise<string> {
  const paymentIntent = await captureOf(context, order);
  const opened = { paymentIntent, stage: 'open' };
  const made = await context.shop.stripe.tell('/__sandbox/disputes', opened);
  await until(context, order, 'is_disputed');
  return z.object({ id: z.string() }).parse(made).id;
}

export async function decideDispute(
  { shop }: ScenarioContext,
  disputeId: string,
  stage: string,
): Promise<void> {
  await shop.stripe.tell(`/__sandbox/disputes/${disputeId}`, { stage });
}

/** Refunds in the provider's dashboard; everything by default. */
export async function refundAtProvider(
  context: ScenarioContext,
  order: Order,
  amount?: number,
): Promise<void> {
  const captureId = await captureOf(context, order);
  const body = amount === undefined ? {} : { amount };
  await context.shop.stripe.tell(`/__sandbox/charges/${captureId}/refund`, body);
}

/** Returns a completed refund from the payer's bank. */
export async function returnRefund(context: ScenarioContext, order: Order): Promise<void> {
  const [refund] = await refundsAt(context.shop, order);
  await context.shop.stripe.tell(`/__sandbox/refunds/${refund?.id}/settle`, { status: 'failed' });
}

async function captureOf({ admin }: ScenarioContext, { paymentId }: Order): Promise<string> {
  const { rows } = await admin.query<{ capture_id: string }>(
    'select capture_id from payment_attempts where payment_id = $1',
    [paymentId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${paymentId} was not paid`);
  return row.capture_id;
}

export async function untilState(
  context: ScenarioContext,
  order: Order,
  state: string,
): Promise<void> {
  await until(context, order, `state = '${state}'`);
}

/** Waits until the condition holds for the order. */
export async function until(
  { admin }: ScenarioContext,
  { paymentId }: Order,
  isSo: string,
): Promise<void> {
  await eventually(async () => {
    const found = await admin.query(`select from orders where payment_id = $1 and ${isSo}`, [
      paymentId,
    ]);
    return found.rowCount === 1;
  });
}

export async function untilRefund(
  { admin }: ScenarioContext,
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

export async function untilRevoked(
  { admin }: ScenarioContext,
  { paymentId }: Order,
): Promise<void> {
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
