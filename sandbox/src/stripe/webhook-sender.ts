import { noteAttempt, postMessage, sendFields, takeDueSends } from '../platform/deliveries.ts';
import { startSending } from '../platform/sending.ts';
import { object, text } from '../platform/shape.ts';
import type { Provider } from './provider.ts';
import { signatureHeader, tampered } from './signature.ts';

const attemptsMax = 10;
const sendRow = object({ ...sendFields, type: text, payload: text });

type Send = ReturnType<typeof sendRow>;

export function startWebhookSender(provider: Provider): { stop: () => Promise<void> } {
  const { db, settings } = provider;
  return startSending(db, { takeDue: (limit) => takeDue(provider, limit), deliver });

  async function deliver(send: Send): Promise<void> {
    const attempt = send.attempts + 1;
    const { header, body, kind: signature } = sign(provider, send.payload);
    const at = new Date().toISOString();
    const answer = await postMessage(provider, {
      url: settings.webhookUrl ?? '',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': header,
      },
      body,
    });
    const waitMs =
      attempt >= attemptsMax ? undefined : settings.webhookRetryBaseMs * 2 ** (attempt - 1);
    noteAttempt(provider, { send, type: send.type, attempt, answer, signature, at, waitMs });
  }
}

function takeDue(provider: Provider, limit: number): Send[] {
  if (provider.settings.webhookUrl === undefined) return [];
  return takeDueSends(provider, { reader: sendRow, more: ['e.type', 'e.payload'], limit });
}

// The plan is read on each attempt, so a retry after a reset is genuine again.
function sign(provider: Provider, payload: string) {
  const { plan, settings } = provider;
  const offset = plan.timestampOffsetSeconds ?? 0;
  const header = signatureHeader({
    secret: plan.wrongSecret === true ? 'whsec_not_the_secret' : settings.webhookSecret,
    // Signed with the real time and not the sandbox clock: the receiver compares it with its own
    // clock.
    timestamp: Math.floor(Date.now() / 1000) + offset,
    payload,
  });
  if (plan.tamper === true) return { header, body: tampered(payload), kind: 'tampered' };
  if (plan.wrongSecret === true) return { header, body: payload, kind: 'wrong_secret' };
  return { header, body: payload, kind: offset === 0 ? 'genuine' : 'shifted' };
}
