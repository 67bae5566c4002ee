import {
  noteAttempt,
  postMessage,
  scheduledWaitMs,
  sendFields,
  takeDueSends,
} from '../platform/deliveries.ts';
import { signed } from '../platform/rsa.ts';
import { startSending } from '../platform/sending.ts';
import { json, object, text, textRecord } from '../platform/shape.ts';
import type { Provider } from './provider.ts';
import { signedText, signingKey } from './signature.ts';
import { wireTime } from './times.ts';

const sendRow = object({ ...sendFields, type: text, url: text, fields: json(textRecord) });
type Send = ReturnType<typeof sendRow>;

/** The exact body with which the receiver acknowledges a notification. */
const takenWord = 'success';

export function startWebhookSender(provider: Provider): { stop: () => Promise<void> } {
  const { settings } = provider;
  const more = ['e.type', 'e.url', 'e.fields'];
  return startSending(provider.db, {
    takeDue: (limit) => takeDueSends(provider, { reader: sendRow, more, limit }),
    deliver,
  });

  async function deliver(send: Send): Promise<void> {
    const attempt = send.attempts + 1;
    const { body, kind: signature } = messageOf(provider, send.fields);
    const at = new Date().toISOString();
    const message = {
      url: settings.webhookUrl ?? send.url,
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body,
    };
    const answer = await postMessage(provider, message, async (response) => {
      const said = await response.text();
      return response.status === 200 && said.trim() === takenWord;
    });
    const waitMs = scheduledWaitMs(settings, attempt);
    noteAttempt(provider, { send, type: send.type, attempt, answer, signature, at, waitMs });
  }
}

/**
 * The form and its signature. The plan is read on each attempt, so a retry after a reset is
 * genuine.
 */
function messageOf(provider: Provider, fields: Record<string, string>) {
  const { plan, stranger } = provider;
  const offset = plan.timestampOffsetSeconds ?? 0;
  const about = {
    ...fields,
    // Signed with the real time and not the sandbox clock: the receiver compares it with its own
    // clock.
    notify_time: wireTime(Math.floor(Date.now() / 1000) + offset),
    ...(plan.wrongAppId === true ? { app_id: '2021000000000000' } : {}),
    ...(plan.wrongSellerId === true ? { seller_id: '2088000000000001' } : {}),
    sign_type: 'RSA2',
  };
  const key = plan.wrongSecret === true ? stranger : signingKey(provider);
  const sign = signed(signedText(about, ['sign', 'sign_type']), key);
  const sent = plan.tamper === true ? { ...about, total_amount: '999.00' } : about;
  return { body: String(new URLSearchParams({ ...sent, sign })), kind: kindOf(provider) };
}

function kindOf({ plan }: Provider): string {
  if (plan.tamper === true) return 'tampered';
  if (plan.wrongSecret === true) return 'wrong_secret';
  if (plan.wrongAppId === true) return 'wrong_app_id';
  if (plan.wrongSellerId === true) return 'wrong_seller_id';
  return (plan.timestampOffsetSeconds ?? 0) === 0 ? 'genuine' : 'shifted';
}
