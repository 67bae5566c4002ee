import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { type Reader, text, whole } from './shape.ts';

type Sender = { db: Database; clock: Clock };

export type Outcome = { outcome: 'delivered' | 'refused' | 'unanswered'; status: number | null };

/** The columns of every queued webhook; a provider's reader adds those of its message. */
export const sendFields = { id: whole, event_id: text, copy: whole, attempts: whole };

/**
 * Claims the due webhooks, so that no concurrent sender takes them. `more` are the additional
 * columns of the send `s` and of its event `e` that the reader expects.
 */
export function takeDueSends<Send extends { id: number }>(
  { db, clock }: Sender,
  input: { reader: Reader<Send>; more: readonly string[]; limit: number },
): Send[] {
  const { reader, more, limit } = input;
  const columns = ['s.id', 's.event_id', 's.copy', 's.attempts', ...more].join(', ');
  if (limit <= 0) return [];
  const due = db.all(
    reader,
    `select ${columns}
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

/** Records the outcome of an attempt and schedules the next one; without a wait there is none. */
export function noteAttempt(
  { db, clock }: Sender,
  input: {
    send: { id: number; event_id: string; copy: number };
    type: string;
    attempt: number;
    answer: Outcome;
    /** How the message was signed: `genuine` or a kind of forgery. */
    signature: string;
    at: string;
    waitMs: number | undefined;
    /** Provider-specific columns. */
    more?: Record<string, string | null>;
  },
): void {
  const { send, attempt, answer, waitMs } = input;
  const delivery = {
    event_id: send.event_id,
    type: input.type,
    copy: send.copy,
    attempt,
    outcome: answer.outcome,
    status: answer.status,
    signature: input.signature,
    at: input.at,
    ...input.more,
  };
  const unsent = waitMs === undefined ? 'given_up' : 'waiting';
  db.transaction(() => {
    db.insert('webhook_deliveries', delivery);
    db.run(
      'update webhook_sends set state = ?, attempts = ?, due_at_ms = ? where id = ?',
      answer.outcome === 'delivered' ? 'done' : unsent,
      attempt,
      clock.nowMs() + (waitMs ?? 0),
      send.id,
    );
  });
}

/** Posts a message; each provider decides from the answer whether the receiver has accepted it. */
export async function postMessage(
  provider: { settings: { webhookTimeoutMs: number }; ending: AbortController },
  message: { url: string; headers: Record<string, string>; body: string },
  isTaken: (response: Response) => boolean | Promise<boolean> = (response) => response.ok,
): Promise<Outcome> {
  const { settings, ending } = provider;
  try {
    const response = await fetch(message.url, {
      method: 'POST',
      headers: message.headers,
      body: message.body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(settings.webhookTimeoutMs), ending.signal]),
    });
    const outcome = (await isTaken(response)) ? 'delivered' : 'refused';
    if (!response.bodyUsed) await response.body?.cancel();
    return { outcome, status: response.status };
  } catch {
    return { outcome: 'unanswered', status: null };
  }
}

/** The scheduled wait after an attempt; undefined after the last one. */
export function scheduledWaitMs(
  { retrySeconds }: { retrySeconds: readonly number[] },
  attempt: number,
): number | undefined {
  const seconds = retrySeconds[attempt - 1];
  return seconds === undefined ? undefined : seconds * 1000;
}
