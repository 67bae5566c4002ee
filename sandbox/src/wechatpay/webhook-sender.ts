import { randomUUID } from 'node:crypto';
import {
  noteAttempt,
  type Outcome,
  postMessage,
  scheduledWaitMs,
  sendFields,
  takeDueSends,
} from '../platform/deliveries.ts';
import { startSending } from '../platform/sending.ts';
import { object } from '../platform/shape.ts';
import { randomText } from './ids.ts';
import type { Provider } from './provider.ts';
import { type EventRow, eventRow } from './rows.ts';
import { encrypted, type Forgery, signatureHeaders, signingKey } from './signature.ts';
import { wireTime } from './times.ts';

const sendRow = object(sendFields);

type Send = ReturnType<typeof sendRow>;

export function startWebhookSender(provider: Provider): { stop: () => Promise<void> } {
  const { db, settings } = provider;
  return startSending(db, {
    takeDue: (limit) => takeDueSends(provider, { reader: sendRow, more: [], limit }),
    deliver,
  });

  async function deliver(send: Send): Promise<void> {
    const attempt = send.attempts + 1;
    const event = db.one(eventRow, 'select * from events where id = ?', send.event_id);
    if (event === undefined) throw new Error(`event ${send.event_id} does not exist`);
    const { kind: signature, headers, body } = messageOf(provider, event);
    const at = new Date().toISOString();
    const answer = await post(provider, { url: settings.webhookUrl ?? event.url, headers, body });
    const waitMs = scheduledWaitMs(settings, attempt);
    const more = { serial: headers['wechatpay-serial'] ?? null };
    noteAttempt(provider, { send, type: event.type, attempt, answer, signature, at, waitMs, more });
  }
}

/**
 * The body and its headers. The plan is read on each attempt, so a retry after a reset is genuine.
 */
function messageOf(provider: Provider, event: EventRow) {
  const { plan, settings, keyPlan } = provider;
  const key =
    plan.wrongApiV3Key === true ? randomText(32) : settings.apiV3Keys[keyPlan.apiV3Key ?? 0];
  if (key === undefined) throw new Error('the planned APIv3 key does not exist');
  const payload = JSON.stringify({
    id: event.id,
    create_time: wireTime(event.created),
    resource_type: 'encrypt-resource',
    event_type: event.type,
    summary: event.summary,
    resource: encrypted({ plain: event.resource, key, about: event.original_type }),
  });
  const kind = kindOf(provider);
  const forgeries: Partial<Record<typeof kind, Forgery>> = {
    signtest: 'signtest',
    wrong_secret: 'stranger',
  };
  const headers = signatureHeaders(provider, {
    body: payload,
    key: signingKey(provider, 'public_key'),
    forgery: forgeries[kind] ?? 'none',
    offsetSeconds: plan.timestampOffsetSeconds ?? 0,
  });
  return { kind, headers, body: kind === 'tampered' ? tampered(payload) : payload };
}

function kindOf(provider: Provider) {
  const { plan } = provider;
  if (plan.signTest !== undefined && plan.signTest > 0) {
    provider.plan = { ...plan, signTest: plan.signTest - 1 };
    return 'signtest';
  }
  if (plan.tamper === true) return 'tampered';
  if (plan.wrongSecret === true) return 'wrong_secret';
  if (plan.wrongApiV3Key === true) return 'wrong_api_v3_key';
  return (plan.timestampOffsetSeconds ?? 0) === 0 ? 'genuine' : 'shifted';
}

/** Changes one character of the ciphertext, which stays valid JSON and valid base64. */
function tampered(payload: string): string {
  return payload.replace(/("ciphertext":")(.)/, (_match, before: string, letter: string) => {
    return before + (letter === 'A' ? 'B' : 'A');
  });
}

async function post(
  provider: Provider,
  message: { url: string; headers: Record<string, string>; body: string },
): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json',
    accept: '*/*',
    'user-agent': 'Mozilla/4.0',
    'request-id': randomUUID(),
    ...message.headers,
  };
  // The provider looks at the status only, not at the body.
  return await postMessage(
    provider,
    { ...message, headers },
    ({ status }) => status === 200 || status === 204,
  );
}
