import {
  CheckoutPaymentIntent,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
} from '@paypal/paypal-server-sdk';
import type { CloseResult, CreateResult, Payment, PaymentRequest, PaymentTruth } from '../psp.ts';
import { isSameMoney, misshapen } from '../replies.ts';
import { isKeyRefused, type PaypalClient, type Reply } from './client.ts';
import { disputesOf } from './disputes.ts';
import { wireMoney } from './money.ts';
import { refundTruthsOf } from './refund-truths.ts';
import { customIdOf, isSameReference, Order } from './shapes.ts';

/** Refusals because an order with this id already exists. */
const maybeMade = new Set(['DUPLICATE_REQUEST_ID', 'DUPLICATE_INVOICE_ID']);

const descriptionLengthMax = 127;

export async function createPayment(
  client: PaypalClient,
  request: PaymentRequest,
): Promise<CreateResult> {
  const { reference, money } = request;
  const amount = wireMoney(money);
  if (amount === undefined) return { outcome: 'rejected', code: 'CURRENCY_NOT_SUPPORTED' };
  const wayBack = wayBackTo(request.returnUrl);
  const reply = await client.ask(({ orders }) =>
    orders.createOrder({
      paypalRequestId: reference.attemptId,
      prefer: 'return=representation',
      body: {
        intent: CheckoutPaymentIntent.Capture,
        purchaseUnits: [
          {
            referenceId: reference.paymentId,
            customId: customIdOf(reference),
            // PayPal takes one payment per invoice id, even after it has forgotten the request id.
            invoiceId: reference.attemptId,
            description: request.description.slice(0, descriptionLengthMax),
            amount,
          },
        ],
        paymentSource: {
          paypal: {
            experienceContext: {
              returnUrl: wayBack,
              cancelUrl: wayBack,
              locale: request.locale,
              userAction: PaypalExperienceUserAction.PayNow,
              shippingPreference: PaypalWalletContextShippingPreference.NoShipping,
            },
          },
        },
      },
    }),
  );
  return createdFrom(reply, request);
}

/** PayPal appends a `token`, which the shop's pages must not mistake for a sign-in token. */
function wayBackTo(returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('via', 'paypal');
  return url.href;
}

/** The state of a payment with its captures, refunds and disputes. */
export async function queryPayment(client: PaypalClient, pspRef: string): Promise<PaymentTruth> {
  const order = await readOrder(client, pspRef);
  if (order.outcome !== 'ok') return order;
  const truth = truthOf(order.value);
  if (truth.outcome !== 'ok') return truth;
  const refunds = refundTruthsOf(order.value);
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

/** Reads an order; an expired order is `not_found`. */
export async function readOrder(client: PaypalClient, id: string) {
  const reply = await client.ask(({ orders }) => orders.getOrder({ id }));
  if (reply.outcome === 'refused' && reply.status === 404) {
    return { outcome: 'not_found' } as const;
  }
  if (reply.outcome !== 'ok') {
    return {
      outcome: 'unknown',
      cause: causeOf(reply),
      isKeyRefused: isKeyRefused(reply),
    } as const;
  }
  const order = Order.safeParse(reply.value);
  if (!order.success) return misshapen('order', order.error);
  if (order.data.id !== id) return { outcome: 'unknown', cause: 'another order' } as const;
  return { outcome: 'ok', value: order.data } as const;
}

export function causeOf(reply: Exclude<Reply, { outcome: 'ok' }>): string {
  return reply.outcome === 'refused' ? reply.issue : reply.cause;
}

function createdFrom(reply: Reply, { reference, money }: PaymentRequest): CreateResult {
  if (reply.outcome === 'unknown') return reply;
  if (reply.outcome === 'refused') {
    return maybeMade.has(reply.issue)
      ? { outcome: 'unknown', cause: reply.issue }
      : { outcome: 'rejected', code: reply.issue, isKeyRefused: isKeyRefused(reply) };
  }
  const order = Order.safeParse(reply.value);
  if (!order.success) return misshapen('order', order.error);
  const [unit] = order.data.purchase_units;
  const isAsked = isSameMoney(unit.amount, money) && isSameReference(unit.custom_id, reference);
  if (!isAsked) return { outcome: 'unknown', cause: 'an order with other content than requested' };
  const url = order.data.links.find(({ rel }) => rel === 'payer-action')?.href;
  if (url === undefined) return { outcome: 'unknown', cause: 'an order without an approval link' };
  return { outcome: 'created', pspRef: order.data.id, action: { kind: 'redirect', url } };
}

/** The order and its capture, without refunds and disputes. */
function truthOf(order: Order): PaymentTruth {
  const [{ custom_id: reference, payments }] = order.purchase_units;
  const unpaid = {
    ...({ outcome: 'ok', pspRef: order.id, reference } as const),
    ...{ captures: [], refunds: [], disputes: [] },
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
