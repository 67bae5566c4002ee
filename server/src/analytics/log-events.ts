import {
  type EventName,
  eventHoursMax,
  eventParams,
  LogEvent,
} from '@pointgate/contract/log-events.ts';
import { allPages, isPathOf } from '@pointgate/contract/pages.ts';
import { isStorableText } from '@pointgate/contract/storable-text.ts';
import type * as z from 'zod/mini';
import { derivedId, isId } from '../platform/ids.ts';
import { looksPrivate } from './private-values.ts';

type QuarantineReason =
  | 'malformed'
  | 'private_value'
  | 'unknown_event'
  | 'unknown_field'
  | 'invalid_field'
  | 'clock';

/** A quarantined event with the reason. */
export interface Quarantined {
  id: string;
  name: string | null;
  reason: QuarantineReason;
  field: string | null;
  /** The event itself, or null if it may contain private data. */
  content: unknown;
}

/** The funnel steps before an order; later steps are counted from orders. */
type FunnelStep = 'arrival' | 'login' | 'top_up';

export interface KnownEvent {
  event: LogEvent;
  happenedAt: Date;
  step: FunnelStep | null;
}

/** Tolerance for clocks ahead: browsers correct their clock by an estimated offset. */
export const aheadMsMax = 10 * 60_000;
export const behindMsMax = eventHoursMax * 3_600_000;

/** Sorts the events of a batch into known and quarantined ones. A duplicate id is taken once. */
export function sortEvents(
  sent: readonly unknown[],
  { nowMs, batchKey }: { nowMs: number; batchKey: readonly (string | number)[] },
): { known: KnownEvent[]; quarantined: Quarantined[] } {
  const known = new Map<string, KnownEvent>();
  const quarantined = new Map<string, Quarantined>();
  sent.forEach((raw, index) => {
    const read = readEvent(raw, nowMs);
    if ('event' in read) {
      if (!known.has(read.event.id)) known.set(read.event.id, read);
      return;
    }
    // Derived from the batch, so that a repeated batch gives events without an id the same id.
    const id = idOf(raw) ?? derivedId('quarantine', ...batchKey, index);
    if (!quarantined.has(id)) quarantined.set(id, { id, ...read });
  });
  return { known: [...known.values()], quarantined: [...quarantined.values()] };
}

function readEvent(raw: unknown, nowMs: number): KnownEvent | Omit<Quarantined, 'id'> {
  const name = nameOf(raw);
  const aside = (reason: QuarantineReason, field: string | null = null) => ({
    name,
    reason,
    field,
    content: reason === 'private_value' || !isStorableText(raw) ? null : raw,
  });
  // First, because it also limits the size of what the later checks process.
  if (looksPrivate(raw)) return aside('private_value');
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return aside('malformed');
  if (!('n' in raw) || typeof raw.n !== 'string' || idOf(raw) === undefined) {
    return aside('malformed');
  }
  if (!isEventName(raw.n)) return aside('unknown_event');
  const parsed = LogEvent.safeParse(raw);
  if (!parsed.success) return aside(...whyNot(parsed.error.issues));
  const { data: event } = parsed;
  const happenedAt = timeOf(event.t);
  if (happenedAt === undefined) return aside('invalid_field', 't');
  const ageMs = nowMs - happenedAt.getTime();
  if (ageMs > behindMsMax || ageMs < -aheadMsMax) return aside('clock', 't');
  return { event, happenedAt, step: stepOf(event) };
}

function whyNot(issues: readonly z.core.$ZodIssue[]): [QuarantineReason, string | null] {
  // An invalid field is reported before an unknown one, which every newer version would have.
  const wrong = issues.find(({ code }) => code !== 'unrecognized_keys');
  if (wrong !== undefined) return ['invalid_field', fieldName(wrong.path.join('.'))];
  const [unknown] = issues;
  const key = unknown?.code === 'unrecognized_keys' ? (unknown.keys[0] ?? '') : '';
  return ['unknown_field', fieldName([...(unknown?.path ?? []), key].join('.'))];
}

/** The sender chooses field names, so only names that look like ours are stored. */
function fieldName(path: string): string | null {
  return /^[a-z_.]{1,64}$/i.test(path) ? path : null;
}

function nameOf(raw: unknown): string | null {
  if (typeof raw !== 'object' || raw === null || !('n' in raw)) return null;
  return typeof raw.n === 'string' && /^web_payment_[a-z_]{1,40}$/.test(raw.n) ? raw.n : null;
}

function idOf(raw: unknown): string | undefined {
  if (typeof raw !== 'object' || raw === null || !('id' in raw)) return undefined;
  return typeof raw.id === 'string' && isId(raw.id) ? raw.id : undefined;
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(eventParams, name);
}

/** Undefined for an invalid date such as the 31st of February. */
function timeOf(text: string): Date | undefined {
  const iso = `${text.replace(' ', 'T')}.000Z`;
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) || time.toISOString() !== iso ? undefined : time;
}

function stepOf(event: LogEvent): FunnelStep | null {
  if (event.n === 'web_payment_page_load' || event.n === 'web_payment_user_info') return 'arrival';
  if (event.n === 'web_payment_login_result') return event.p.result === 'success' ? 'login' : null;
  const { page } = event.p;
  const row = allPages.find(({ path }) => isPathOf(path, page));
  return row !== undefined && 'funnelStep' in row ? row.funnelStep : null;
}
