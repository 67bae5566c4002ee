import { type Clock, createClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { createFaultPlan, type FaultPlan } from '../platform/fault-plan.ts';
import { createHanging, type Hanging } from '../platform/hanging.ts';
import type { RefundPlan } from '../platform/refund-plan.ts';
import {
  atLeast,
  flag,
  nullable,
  object,
  oneOf,
  optional,
  type ReadBy,
  text,
  whole,
} from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { schema } from './schema.ts';
import { noSettlementPlan, type SettlementPlan } from './settlement-plan.ts';

export const faultReader = object({
  /** A method and a path or a route, as in `POST /v1/checkout/sessions/:id/expire`. */
  match: text,
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'cut_after_commit',
    'hang',
    'json404_without_error',
  ]),
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
  /** Whether a 500 answers its idempotency key for good; unless told otherwise it does. */
  stored: optional(flag),
});
export type Fault = Omit<ReadBy<typeof faultReader>, 'times'> & { times: number };

export const webhookPlanReader = object({
  ...sendPlanFields,
  tamper: optional(flag),
  wrongSecret: optional(flag),
  timestampOffsetSeconds: optional(whole),
});
export type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export const noPlan: WebhookPlan = webhookPlanReader({}, 'plan');

export const reportPlanReader = object({
  /** How runs end that have not ended yet; one that stays pending ends when this changes. */
  outcome: optional(oneOf(['succeeded', 'pending', 'failed'])),
  /** The second up to which there is data; null is now. */
  availableUntil: optional(nullable(whole)),
});
export type ReportPlan = {
  outcome: 'succeeded' | 'pending' | 'failed';
  availableUntil: number | null;
};

export const noReportPlan: ReportPlan = { outcome: 'succeeded', availableUntil: null };

type Settings = {
  secretKey: string;
  webhookSecret: string;
  webhookUrl: string | undefined;
  /** The kinds of events the receiver asked for; `*` is all. */
  enabledEvents: readonly string[];
  webhookRetryBaseMs: number;
  webhookTimeoutMs: number;
  dataFile: string | undefined;
  /** Where browsers find the payment page; the address it listens on unless told otherwise. */
  publicUrl: string | undefined;
};

export type StartSettings = Omit<Settings, 'enabledEvents'>;

/** One payment provider: what it remembers, and how it has been told to misbehave. */
export type Provider = {
  db: Database;
  clock: Clock;
  faults: FaultPlan<Fault>;
  hanging: Hanging;
  settings: Settings;
  plan: WebhookPlan;
  /** What becomes of the next refunds. */
  refundPlan: FaultPlan<RefundPlan>;
  reportPlan: ReportPlan;
  settlementPlan: SettlementPlan;
  /** Reports whose file is being written, by the id of the run. */
  filesInWork: Map<string, Promise<void>>;
  publicUrl: () => string;
  /** Aborted when the program ends, so that nothing waits for a hanging answer. */
  ending: AbortController;
};

export function createProvider(settings: StartSettings, publicUrl: () => string): Provider {
  const ending = new AbortController();
  return {
    db: openDatabase({ file: settings.dataFile, schema }),
    clock: createClock(),
    faults: createFaultPlan<Fault>(),
    hanging: createHanging(ending.signal),
    settings: { ...settings, enabledEvents: ['*'] },
    plan: noPlan,
    refundPlan: createFaultPlan<RefundPlan>(),
    reportPlan: noReportPlan,
    settlementPlan: noSettlementPlan,
    filesInWork: new Map(),
    publicUrl,
    ending,
  };
}
