import { z } from 'zod';
import type { CloseResult, CreateResult, PaymentRequest } from '../psp.ts';
import { isSameMoney, misshapen } from '../replies.ts';
import type { Client } from './client.ts';
import { WireMoney, wireMoney } from './money.ts';
import type { AdyenOptions } from './options.ts';
import { packed } from './reference.ts';
import { ChannelEnum, ModeEnum } from './sdk.ts';

/** Opens a session with a page of Adyen's own. The same attempt again is the same session. */
export async function createPayment(
  client: Client,
  options: AdyenOptions,
  request: PaymentRequest,
): Promise<CreateResult> {
  const question = questionOf(options, request);
  const { attemptId } = request.reference;
  const reply = await client.ask((api) =>
    api.PaymentsApi.sessions(question, { idempotencyKey: attemptId }),
  );
  switch (reply.outcome) {
    case 'ok':
      return createdOf(options, request, reply.value);
    case 'refused':
      return { outcome: 'rejected', code: reply.code };
    case 'unknown':
      return reply;
  }
}

/**
 * Adyen has no call that ends a session. It ends at the time it was opened for, and until then nobody
 * can say that it is over; that is what the engine makes of a page that cannot be found.
 */
export function closePayment(): CloseResult {
  return { outcome: 'not_found' };
}

function questionOf({ merchantAccount }: AdyenOptions, request: PaymentRequest) {
  const { reference, money, payer } = request;
  const amount = wireMoney(money);
  return {
    merchantAccount,
    amount,
    reference: packed(reference),
    // For people who look at the payment in the Customer Area.
    merchantOrderReference: reference.paymentId,
    returnUrl: request.returnUrl,
    expiresAt: request.expiresAt,
    mode: ModeEnum.Hosted,
    channel: ChannelEnum.Web,
    // The method the player chose, and none that settles days later.
    allowedPaymentMethods: ['scheme'],
    captureDelayHours: 0,
    shopperLocale: request.locale,
    shopperIP: payer.clientIp,
    lineItems: [
      { description: request.description, quantity: 1, amountIncludingTax: amount.value },
    ],
  };
}

const Session = z.object({
  id: z.string().regex(/^CS[0-9A-Za-z]{1,78}$/),
  url: z.url({ protocol: /^https?$/ }),
  merchantAccount: z.string(),
  reference: z.string(),
  amount: WireMoney,
});

/** Believed only where it is about exactly what was asked for: the key may have been used before. */
function createdOf(
  { merchantAccount }: AdyenOptions,
  request: PaymentRequest,
  value: unknown,
): CreateResult {
  const session = Session.safeParse(value);
  if (!session.success) return misshapen('session', session.error);
  const { id: pspRef, url, amount, ...about } = session.data;
  const isOurs =
    about.merchantAccount === merchantAccount && about.reference === packed(request.reference);
  if (!isOurs || !isSameMoney(amount, request.money)) {
    return { outcome: 'unknown', cause: 'a session for something else' };
  }
  return { outcome: 'created', pspRef, action: { kind: 'redirect', url } };
}
