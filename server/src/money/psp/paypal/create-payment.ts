import {
  CheckoutPaymentIntent,
  PaypalExperienceUserAction,
  PaypalWalletContextShippingPreference,
} from '@paypal/paypal-server-sdk';
import type { CreateResult, PaymentRequest } from '../psp.ts';
import { joinedReference } from '../references.ts';
import { isSameMoney, misshapen } from '../replies.ts';
import { isKeyRefused, type PaypalClient, type Reply } from './client.ts';
import { isSameReference } from './ids.ts';
import { wireMoney } from './money.ts';
import { Order } from './orders.ts';

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
            customId: joinedReference(reference),
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
