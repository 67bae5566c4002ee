import { z } from 'zod';
import type { CreateResult, PaymentRequest } from '../psp.ts';
import { isSameMoney, misshapen } from '../replies.ts';
import type { Client } from './client.ts';
import { packed } from './ids.ts';
import { WireMoney, wireMoney } from './money.ts';
import type { AdyenOptions } from './options.ts';
import { ChannelEnum, ModeEnum } from './sdk.ts';

/** Creates a session with a page hosted by Adyen. A retry of the same attempt returns the same session. */
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

function questionOf({ merchantAccount }: AdyenOptions, request: PaymentRequest) {
  const { reference, money, payer } = request;
  const amount = wireMoney(money);
  return {
    merchantAccount,
    amount,
    reference: packed(reference),
    // Shown to staff in Adyen's Customer Area.
    merchantOrderReference: reference.paymentId,
    returnUrl: request.returnUrl,
    expiresAt: request.expiresAt,
    mode: ModeEnum.Hosted,
    channel: ChannelEnum.Web,
    // Cards only, because other methods may settle days later.
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

/** Accepts only a session with the requested fields, because the idempotency key may have been used before. */
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
    return { outcome: 'unknown', cause: 'a reply about another session' };
  }
  return { outcome: 'created', pspRef, action: { kind: 'redirect', url } };
}
