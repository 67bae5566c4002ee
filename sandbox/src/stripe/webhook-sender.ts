import { object, text, whole } from '../platform/shape.ts';
import type { Provider } from './provider.ts';
import { signatureHeader, tampered } from './signature.ts';

const attemptsMax = 10;
const sendingMax = 32;
/** How often it looks for what has become due by itself: retries and delays. */
const lookEveryMs = 50;

const sendRow = object({
  id: whole,
  event_id: text,
  type: text,
  payload: text,
  copy: whole,
  attempts: whole,
});

type Send = ReturnType<typeof sendRow>;
type Outcome = { outcome: 'delivered' | 'refused' | 'unanswered'; status: number | null };

/** Sends what the commits have left to be sent, again and again until it is taken. */
export function startWebhookSender(provider: Provider): { stop: () => Promise<void> } {
  const { db, clock } = provider;
  const sending = new Set<Promise<void>>();
  let isStopped = false;

  // What an earlier process had in hand when it ended is sent again: better twice than never.
  db.run("update webhook_sends set state = 'waiting' where state = 'sending'");

  function look(): void {
    if (isStopped) return;
    for (const send of takeDue(provider, sendingMax - sending.size)) {
      const work = deliver(send).finally(() => sending.delete(work));
      sending.add(work);
    }
  }
  db.afterCommit(() => setImmediate(look));
  const timer = setInterval(look, lookEveryMs);

  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await Promise.allSettled(sending);
    },
  };

  async function deliver(send: Send): Promise<void> {
    const attempt = send.attempts + 1;
    const signed = sign(provider, send.payload);
    const at = new Date().toISOString();
    const answer = await post(provider, signed);
    const state =
      answer.outcome === 'delivered' ? 'done' : attempt >= attemptsMax ? 'given_up' : 'waiting';
    db.transaction(() => {
      db.run(
        `insert into webhook_deliveries
           (event_id, type, copy, attempt, outcome, status, signature, at)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
        send.event_id,
        send.type,
        send.copy,
        attempt,
        answer.outcome,
        answer.status,
        signed.kind,
        at,
      );
      db.run(
        'update webhook_sends set state = ?, attempts = ?, due_at_ms = ? where id = ?',
        state,
        attempt,
        clock.nowMs() + provider.settings.webhookRetryBaseMs * 2 ** (attempt - 1),
        send.id,
      );
    });
  }
}

function takeDue(provider: Provider, limit: number): Send[] {
  const { db, clock, settings } = provider;
  if (limit <= 0 || settings.webhookUrl === undefined) return [];
  const due = db.all(
    sendRow,
    `select s.id, s.event_id, e.type, e.payload, s.copy, s.attempts
     from webhook_sends s join events e on e.id = s.event_id
     where s.state = 'waiting' and s.due_at_ms <= ?
       and not exists (
         select 1 from webhook_sends first
         where first.id = s.after_id and first.attempts = 0 and first.state in ('waiting', 'sending'))
     order by s.due_at_ms, s.id limit ?`,
    clock.nowMs(),
    limit,
  );
  if (due.length === 0) return [];
  db.transaction(() => {
    for (const { id } of due) db.run("update webhook_sends set state = 'sending' where id = ?", id);
  });
  return due;
}

// The plan is read when it is signed, so a retry after a reset is genuine again.
function sign(provider: Provider, payload: string) {
  const { plan, settings } = provider;
  const offset = plan.timestampOffsetSeconds ?? 0;
  const header = signatureHeader({
    secret: plan.wrongSecret === true ? 'whsec_not_the_secret' : settings.webhookSecret,
    // The receiver's clock is the real one, whatever the sandbox plays.
    timestamp: Math.floor(Date.now() / 1000) + offset,
    payload,
  });
  if (plan.tamper === true) return { header, body: tampered(payload), kind: 'tampered' };
  if (plan.wrongSecret === true) return { header, body: payload, kind: 'wrong_secret' };
  return { header, body: payload, kind: offset === 0 ? 'genuine' : 'shifted' };
}

async function post(
  provider: Provider,
  signed: { header: string; body: string },
): Promise<Outcome> {
  const { settings, ending } = provider;
  try {
    const response = await fetch(settings.webhookUrl ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signed.header,
      },
      body: signed.body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(settings.webhookTimeoutMs), ending.signal]),
    });
    await response.body?.cancel();
    return { outcome: response.ok ? 'delivered' : 'refused', status: response.status };
  } catch {
    return { outcome: 'unanswered', status: null };
  }
}
