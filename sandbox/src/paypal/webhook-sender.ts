import { noteAttempt, postMessage, sendFields, takeDueSends } from '../platform/deliveries.ts';
import { startSending } from '../platform/sending.ts';
import { object, text } from '../platform/shape.ts';
import { certificateUrlOf } from './certificates.ts';
import type { Provider } from './provider.ts';
import { signatureHeaders, tampered } from './signature.ts';

const attemptsMax = 25;
/** With a retry base of one second, the last attempt is three days after the first. */
const waitFactorMax = 25_000;
const sendRow = object({ ...sendFields, type: text, payload: text, transmission_id: text });

type Send = ReturnType<typeof sendRow>;
type Signed = { headers: Record<string, string>; body: string; kind: string };

export function startWebhookSender(provider: Provider): { stop: () => Promise<void> } {
  const { db, settings } = provider;
  return startSending(db, { takeDue: (limit) => takeDue(provider, limit), deliver });

  async function deliver(send: Send): Promise<void> {
    const attempt = send.attempts + 1;
    const { headers, body, kind: signature } = sign(provider, send);
    const at = new Date().toISOString();
    const answer = await postMessage(provider, {
      url: settings.webhookUrl ?? '',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'PayPal/AUHD-214.0-58843346',
        ...headers,
      },
      body,
    });
    const factor = Math.min(2 ** (attempt - 1), waitFactorMax);
    const waitMs = attempt >= attemptsMax ? undefined : settings.webhookRetryBaseMs * factor;
    noteAttempt(provider, { send, type: send.type, attempt, answer, signature, at, waitMs });
  }
}

function takeDue(provider: Provider, limit: number): Send[] {
  if (provider.settings.webhookUrl === undefined) return [];
  const more = ['e.type', 'e.payload', 's.transmission_id'];
  return takeDueSends(provider, { reader: sendRow, more, limit });
}

// The plan is read on each attempt, so a retry after a reset is genuine again.
function sign(provider: Provider, { payload, transmission_id }: Send): Signed {
  const { plan, settings, certificates } = provider;
  const genuine = certificates.signers.at(-1);
  if (genuine === undefined) throw new Error('there is no webhook signer');
  const doubtful =
    plan.certificate === undefined ? undefined : certificates.doubtful[plan.certificate];
  const signer = doubtful ?? genuine;
  const offset = plan.timestampOffsetSeconds ?? 0;
  const headers = signatureHeaders({
    transmissionId: transmission_id,
    // Signed with the real time and not the sandbox clock: the receiver compares it with its own
    // clock.
    time: new Date(Date.now() + offset * 1000),
    webhookId: plan.wrongWebhook === true ? '0EH40505U7160970P' : settings.webhookId,
    payload,
    key: plan.wrongSecret === true ? certificates.doubtful.other_root.key : signer.key,
    certificateUrl: certificateUrlOf(signer),
  });
  const body = plan.tamper === true ? tampered(payload) : payload;
  return { headers, body, kind: kindOf(provider) };
}

function kindOf({ plan }: Provider): string {
  if (plan.tamper === true) return 'tampered';
  if (plan.wrongSecret === true) return 'wrong_secret';
  if (plan.wrongWebhook === true) return 'wrong_webhook';
  if (plan.certificate !== undefined) return plan.certificate;
  return (plan.timestampOffsetSeconds ?? 0) === 0 ? 'genuine' : 'shifted';
}
