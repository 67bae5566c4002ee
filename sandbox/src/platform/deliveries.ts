import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import type { Reader } from './shape.ts';

type Sender = { db: Database; clock: Clock };

export type Outcome = { outcome: 'delivered' | 'refused' | 'unanswered'; status: number | null };

/**
 * Takes what is due to be sent, so that nobody else takes it. `columns` are those of the send `s` and
 * of its event `e` that the reader knows.
 */
export function takeDueSends<Send extends { id: number }>(
  { db, clock }: Sender,
  input: { reader: Reader<Send>; columns: string; limit: number },
): Send[] {
  const { reader, columns, limit } = input;
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

/** Writes down how an attempt went, and when the next one is; without a wait there is none. */
export function noteAttempt(
  { db, clock }: Sender,
  input: {
    send: { id: number; event_id: string; copy: number };
    type: string;
    attempt: number;
    answer: Outcome;
    /** How the message was signed. */
    signature: string;
    at: string;
    waitMs: number | undefined;
    /** Columns of the provider's own. */
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
  const columns = Object.keys(delivery);
  const unsent = waitMs === undefined ? 'given_up' : 'waiting';
  db.transaction(() => {
    db.run(
      `insert into webhook_deliveries (${columns.join(', ')})
       values (${columns.map(() => '?').join(', ')})`,
      ...Object.values(delivery),
    );
    db.run(
      'update webhook_sends set state = ?, attempts = ?, due_at_ms = ? where id = ?',
      answer.outcome === 'delivered' ? 'done' : unsent,
      attempt,
      clock.nowMs() + (waitMs ?? 0),
      send.id,
    );
  });
}

/** Posts a message. Whether the receiver has taken it, each provider reads from its answer. */
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
