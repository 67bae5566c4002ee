import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { atLeast, either, flag, object, oneOf, optional, type ReadBy, whole } from './shape.ts';

/** The part of a plan that applies when an event happens. Forgery is decided on each attempt. */
export const sendPlanFields = {
  /** How many of the next events are never sent. */
  drop: optional(either(oneOf(['all']), atLeast(0))),
  /** How many additional copies of each event are sent. */
  duplicate: optional(atLeast(0)),
  delayMs: optional(atLeast(0)),
  /** Each event is held until the next one and sent after it. */
  reorder: optional(flag),
};
const sendPlan = object(sendPlanFields);
export type SendPlan = ReadBy<typeof sendPlan>;

/** The tables of queued webhooks and their attempts; `more` adds columns to an attempt. */
export const webhookTables = (more = '') => `
-- Written in the transaction of the event, so that no event is lost.
create table webhook_sends (
  id         integer primary key,
  event_id   text    not null references events,
  copy       integer not null,
  state      text    not null check (state in ('held', 'waiting', 'sending', 'done', 'given_up')),
  attempts   integer not null default 0,
  due_at_ms  integer not null,
  after_id   integer references webhook_sends
);
create index webhook_sends_due on webhook_sends (state, due_at_ms);
create table webhook_deliveries (
  id        integer primary key,
  event_id  text    not null references events,
  type      text    not null,
  copy      integer not null,
  attempt   integer not null,
  outcome   text    not null check (outcome in ('delivered', 'refused', 'unanswered', 'dropped')),
  status    integer,
  signature text    not null,
  ${more}
  at        text    not null
);
create index webhook_deliveries_by_event on webhook_deliveries (event_id);
`;

/** Queues an event to be sent, or records it as dropped. `more` are provider-specific columns. */
export function planSends<P extends SendPlan>(
  provider: { db: Database; clock: Clock; plan: P },
  event: { eventId: string; type: string },
  more: () => Record<string, string> = () => ({}),
): void {
  const { db, clock, plan } = provider;
  if (takeDrop(provider)) {
    db.run(
      `insert into webhook_deliveries
         (event_id, type, copy, attempt, outcome, status, signature, at)
       values (?, ?, 1, 0, 'dropped', null, 'none', ?)`,
      event.eventId,
      event.type,
      new Date().toISOString(),
    );
    return;
  }

  const held = plan.reorder === true ? heldSends(db) : [];
  const isHeld = plan.reorder === true && held.length === 0;
  const dueAtMs = clock.nowMs() + (plan.delayMs ?? 0);
  for (let copy = 1; copy <= 1 + (plan.duplicate ?? 0); copy += 1) {
    const state = isHeld ? 'held' : 'waiting';
    const row = { event_id: event.eventId, copy, state, due_at_ms: dueAtMs, ...more() };
    db.insert('webhook_sends', row);
  }
  if (held.length > 0) {
    db.run(
      `update webhook_sends
       set state = 'waiting', due_at_ms = ?, after_id = (select max(id) from webhook_sends)
       where state = 'held'`,
      dueAtMs,
    );
  }
}

/** Releases events that are held for reordering. */
export function releaseHeldSends({ db, clock }: { db: Database; clock: Clock }): void {
  db.transaction(() => {
    db.run(
      "update webhook_sends set state = 'waiting', due_at_ms = ? where state = 'held'",
      clock.nowMs(),
    );
  });
}

/** Resets the clock to the real time and moves the due times of queued webhooks back with it. */
export function resetClock({ db, clock }: { db: Database; clock: Clock }): void {
  const wentBackMs = clock.reset();
  if (wentBackMs === 0) return;
  db.transaction(() => {
    db.run(
      "update webhook_sends set due_at_ms = due_at_ms - ? where state in ('waiting', 'held')",
      wentBackMs,
    );
  });
}

function heldSends(db: Database): { id: number }[] {
  return db.all(
    object({ id: whole }),
    "select id from webhook_sends where state = 'held' order by id limit 100",
  );
}

function takeDrop<P extends SendPlan>(provider: { plan: P }): boolean {
  const { drop } = provider.plan;
  if (drop === 'all') return true;
  if (drop === undefined || drop === 0) return false;
  provider.plan = { ...provider.plan, drop: drop - 1 };
  return true;
}
