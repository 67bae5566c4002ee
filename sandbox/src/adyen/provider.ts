import { type Clock, createClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { createFaultPlan, type FaultPlan } from '../platform/fault-plan.ts';
import { createHanging, type Hanging } from '../platform/hanging.ts';
import type { RefundPlan } from '../platform/refund-plan.ts';
import {
  atLeast,
  flag,
  listOf,
  name,
  object,
  oneOf,
  optional,
  type ReadBy,
  recordOf,
  text,
  whole,
} from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { schema } from './schema.ts';

export const faultReader = object({
  /** A method and a path or a route, as in `POST /v72/sessions`. */
  match: text,
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'cut_before',
    'cut_after_commit',
    'hang',
    'json404_without_error',
    'too_many',
    'in_progress',
    'truncated',
    'empty_200',
    'html_200',
    /** The work is done and `body` is sent instead. */
    'other_answer',
  ]),
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
  body: optional(text),
  status: optional(atLeast(200)),
});
export type Fault = Omit<ReadBy<typeof faultReader>, 'times'> & { times: number };

export const webhookPlanReader = object({
  ...sendPlanFields,
  /** A signed field is changed after the signature was made. */
  tamper: optional(flag),
  /** Signed with a key that nobody has. */
  wrongSecret: optional(flag),
  /** Which of the keys signs, counted from 0. */
  key: optional(atLeast(0)),
  /** How many items one message may have at most; what is due together is sent together. */
  batch: optional(atLeast(1)),
});
export type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export const noPlan: WebhookPlan = webhookPlanReader({}, 'plan');

/** What a test gets wrong in reports; ids are those of payments and what happened to them. */
export const settlementPlanReader = object({
  omit: optional(listOf(name)),
  /** Amounts are signed and in the smallest unit. */
  alter: optional(recordOf(whole)),
  invent: optional(
    listOf(object({ type: name, pspReference: name, amount: whole, currency: name })),
  ),
  /** A report is there from the next day on, or always. */
  isReady: optional(flag),
});
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;

export const noSettlementPlan: SettlementPlan = settlementPlanReader({}, 'plan');

export type StartSettings = {
  apiKey: string;
  merchantAccount: string;
  /** In hex. Two are live while one is being rotated. */
  hmacKeys: readonly string[];
  webhookUrl: string | undefined;
  webhookTimeoutMs: number;
  dataFile: string | undefined;
  /** Where browsers find the payment page; the address it listens on unless told otherwise. */
  publicUrl: string | undefined;
};

/** One payment provider: what it remembers, and how it has been told to misbehave. */
export type Provider = {
  db: Database;
  clock: Clock;
  faults: FaultPlan<Fault>;
  hanging: Hanging;
  settings: StartSettings & {
    /** Seconds between attempts, on the sandbox's clock. */
    retrySeconds: readonly number[];
  };
  plan: WebhookPlan;
  refundPlan: FaultPlan<RefundPlan>;
  settlementPlan: SettlementPlan;
  /** Keys of requests that are being worked on. */
  busyKeys: Set<string>;
  publicUrl: () => string;
  /** Aborted when the program ends, so that nothing waits for a hanging answer. */
  ending: AbortController;
};

const hour = 3600;

/** Three times at once, then ever slower, and every eight hours for thirty days. */
export const providersRetrySeconds: readonly number[] = [
  ...[9, 18, 27, 120, 300, 600, 900, 1800, hour, 2 * hour, 4 * hour],
  ...Array.from({ length: 89 }, () => 8 * hour),
];

export function createProvider(settings: StartSettings, publicUrl: () => string): Provider {
  const ending = new AbortController();
  return {
    db: openDatabase({ file: settings.dataFile, schema }),
    clock: createClock(),
    faults: createFaultPlan<Fault>(),
    hanging: createHanging(ending.signal),
    settings: { ...settings, retrySeconds: providersRetrySeconds },
    plan: noPlan,
    refundPlan: createFaultPlan<RefundPlan>(),
    settlementPlan: noSettlementPlan,
    busyKeys: new Set(),
    publicUrl,
    ending,
  };
}
