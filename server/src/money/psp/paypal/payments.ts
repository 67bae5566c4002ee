import { z } from 'zod';
import type { Answer, CloseResult, Payment, PaymentReference, PaymentTruth } from '../psp.ts';
import { JoinedReference } from '../references.ts';
import { isSameMoney, misshapen } from '../replies.ts';
import { causeOf, type PaypalClient } from './client.ts';
import { disputesOf } from './disputes.ts';
import { isSameReference } from './ids.ts';
import { type Order, readOrder } from './orders.ts';
import { refundsIn } from './refunds.ts';

/** The state of a payment with its captures, refunds and disputes. */
export async function queryPayment(client: PaypalClient, pspRef: string): Promise<PaymentTruth> {
  const order = await readOrder(client, pspRef);
  if (order.outcome !== 'ok') return order;
  const truth = truthOf(order.value);
  if (truth.outcome !== 'ok') return truth;
  const refunds = refundsIn(order.value);
  if (refunds.outcome === 'unknown') return refunds;

  const disputes = [];
  for (const { captureId } of truth.captures) {
    const found = await disputesOf(client, captureId);
    if (found.outcome === 'unknown') return found;
    disputes.push(...found.value);
  }
  return { ...truth, refunds: refunds.value, disputes };
}

/**
 * Captures an approved order, then queries it whatever the answer was. PayPal captures an order at most
 * once, so a repeated call is harmless.
 */
export async function capture(client: PaypalClient, payment: Payment): Promise<PaymentTruth> {
  const order = await readOrder(client, payment.pspRef);
  if (order.outcome !== 'ok') return order;
  const [unit] = order.value.purchase_units;
  const isOurs =
    isSameMoney(unit.amount, payment.money) && isSameReference(unit.custom_id, payment.reference);
  if (!isOurs) return { outcome: 'unknown', cause: 'an order of another payment' };
  if (order.value.status !== 'APPROVED') return await queryPayment(client, payment.pspRef);

  const reply = await client.ask(({ orders }) =>
    orders.captureOrder({
      id: payment.pspRef,
      paypalRequestId: `capture-${payment.pspRef}`,
      prefer: 'return=minimal',
      body: {},
    }),
  );
  const truth = await queryPayment(client, payment.pspRef);
  const isDeclined = reply.outcome === 'refused' && reply.issue === 'INSTRUMENT_DECLINED';
  // The payer can choose another funding instrument on the same page.
  if (isDeclined && truth.outcome === 'ok' && truth.status === 'approved') {
    return { ...truth, status: 'open' };
  }
  return truth;
}

/**
 * PayPal has no call that closes an order, and none is needed: money moves only when the shop captures
 * it, and the shop never captures a closed order.
 */
export async function closePayment(client: PaypalClient, pspRef: string): Promise<CloseResult> {
  const order = await readOrder(client, pspRef);
  if (order.outcome !== 'ok') return { outcome: order.outcome };
  const truth = truthOf(order.value);
  if (truth.outcome !== 'ok') return { outcome: 'unknown' };
  if (truth.captures.length > 0) return { outcome: 'already_paid' };
  // Captured and under review: the money may still come.
  const isPending = order.value.status === 'COMPLETED' && truth.status === 'open';
  return { outcome: isPending ? 'unknown' : 'closed' };
}

/** The payment of a capture; one without our reference is `not_found`. */
export async function findCapture(
  client: PaypalClient,
  captureId: string,
): Promise<Answer<{ reference: PaymentReference }>> {
  const reply = await client.ask(({ payments }) => payments.getCapturedPayment({ captureId }));
  if (reply.outcome === 'refused' && reply.status === 404) return { outcome: 'not_found' };
  if (reply.outcome !== 'ok') return { outcome: 'unknown', cause: causeOf(reply) };
  const Capture = z.object({ id: z.literal(captureId), custom_id: z.string().optional() });
  const capture = Capture.safeParse(reply.value);
  if (!capture.success) return misshapen('capture', capture.error);
  const reference = JoinedReference.safeParse(capture.data.custom_id);
  return reference.success
    ? { outcome: 'ok', reference: reference.data }
    : { outcome: 'not_found' };
}

/** The order and its capture, without refunds and disputes. */
function truthOf(order: Order): PaymentTruth {
  const [{ custom_id: reference, payments }] = order.purchase_units;
  const unpaid: Unpaid = {
    outcome: 'ok',
    pspRef: order.id,
    reference,
    captures: [],
    refunds: [],
    disputes: [],
  };
  switch (order.status) {
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      return { ...unpaid, status: 'open' };
    case 'APPROVED':
      return { ...unpaid, status: 'approved' };
    case 'VOIDED':
      return { ...unpaid, status: 'closed' };
    case 'COMPLETED':
      return takenTruth(unpaid, payments.captures);
    default:
      return { outcome: 'unknown', cause: `order status ${order.status}` };
  }
}

type Unpaid = Omit<Extract<PaymentTruth, { outcome: 'ok' }>, 'status'>;

function takenTruth(
  unpaid: Unpaid,
  captures: Order['purchase_units'][0]['payments']['captures'],
): PaymentTruth {
  const [taken, ...more] = captures;
  if (taken === undefined || more.length > 0) {
    return { outcome: 'unknown', cause: `completed with ${captures.length} captures` };
  }
  switch (taken.status) {
    // Later refunds are listed separately.
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return {
        ...unpaid,
        status: 'complete',
        captures: [{ captureId: taken.id, money: taken.amount }],
      };
    case 'PENDING':
      return { ...unpaid, status: 'open' };
    case 'DECLINED':
    case 'FAILED':
      return { ...unpaid, status: 'closed' };
    default:
      return { outcome: 'unknown', cause: `capture status ${taken.status}` };
  }
}
