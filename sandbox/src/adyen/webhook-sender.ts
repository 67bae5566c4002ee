import { randomBytes } from 'node:crypto';
import {
  noteAttempt,
  postMessage,
  scheduledWaitMs,
  sendFields,
  takeDueSends,
} from '../platform/deliveries.ts';
import { startSending } from '../platform/sending.ts';
import { object, text } from '../platform/shape.ts';
import type { Provider } from './provider.ts';
import { hmacSignature, type NotificationItem } from './signature.ts';

const sendRow = object({ ...sendFields, type: text, item: text });
type Send = ReturnType<typeof sendRow>;

export function startWebhookSender(provider: Provider): { stop: () => Promise<void> } {
  return startSending(provider.db, {
    takeDue: (limit) => takeDue(provider, limit),
    deliver: (batch) => deliver(provider, batch),
  });
}

/** Sends the events that are due together in one message; each attempt is recorded by itself. */
async function deliver(provider: Provider, batch: readonly Send[]): Promise<void> {
  const { settings } = provider;
  const signature = kindOf(provider);
  const body = bodyOf(provider, batch);
  const at = new Date().toISOString();
  const answer =
    settings.webhookUrl === undefined
      ? ({ outcome: 'unanswered', status: null } as const)
      : await postMessage(
          provider,
          {
            url: settings.webhookUrl,
            headers: {
              'content-type': 'application/json; charset=utf-8',
              'user-agent': 'Adyen HttpClient 1.0',
            },
            body,
          },
          isAccepted,
        );
  for (const send of batch) {
    const attempt = send.attempts + 1;
    const waitMs = scheduledWaitMs(settings, attempt);
    noteAttempt(provider, { send, type: send.type, attempt, answer, signature, at, waitMs });
  }
}

/** Any 2xx status counts as accepted; Adyen no longer requires the body `[accepted]`. */
function isAccepted(response: Response): boolean {
  return response.ok;
}

function takeDue(provider: Provider, limit: number): Send[][] {
  const due = takeDueSends(provider, { reader: sendRow, more: ['e.type', 'e.item'], limit });
  const size = provider.plan.batch ?? 1;
  const batches: Send[][] = [];
  for (let at = 0; at < due.length; at += size) batches.push(due.slice(at, at + size));
  return batches;
}

/** The plan is read on each attempt, so a retry after a reset is genuine again. */
function bodyOf(provider: Provider, batch: readonly Send[]): string {
  const { plan, settings } = provider;
  const key =
    plan.wrongSecret === true ? randomBytes(32).toString('hex') : settings.hmacKeys[plan.key ?? 0];
  if (key === undefined) throw new Error('the planned HMAC key does not exist');
  const items = batch.map((send) => {
    const item: NotificationItem = JSON.parse(send.item);
    const hmac = hmacSignature(item, key);
    const signed = { ...item, additionalData: { ...item.additionalData, hmacSignature: hmac } };
    if (plan.tamper !== true) return signed;
    return { ...signed, amount: { ...item.amount, value: item.amount.value + 1 } };
  });
  return JSON.stringify({
    live: 'false',
    notificationItems: items.map((item) => ({ NotificationRequestItem: item })),
  });
}

function kindOf({ plan }: Provider): string {
  if (plan.tamper === true) return 'tampered';
  return plan.wrongSecret === true ? 'wrong_secret' : 'genuine';
}
