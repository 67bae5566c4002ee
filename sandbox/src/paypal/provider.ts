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
  type Reader,
  recordOf,
  text,
  whole,
} from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { type Certificates, doubtfulKinds } from './certificates.ts';
import { schema } from './schema.ts';
import { noSettlementPlan, type SettlementPlan } from './settlement-plan.ts';

const anything: Reader<unknown> = (value) => value;

export const faultReader = object({
  /** A method and a path or a route, as in `POST /v2/checkout/orders/:id/capture`. */
  match: text,
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'http503_before',
    'http429',
    'cut_before',
    'cut_after_commit',
    'hang',
    'json404_without_error',
    /** The work is done; what is answered is unreadable. */
    'truncated',
    'empty200',
    'html200',
    'empty_object',
    /** The work is done; fields of the answer, by their paths, are something else. */
    'altered',
  ]),
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
  changes: optional(recordOf(anything)),
});
export type Fault = Omit<ReadBy<typeof faultReader>, 'times'> & { times: number };

export const webhookPlanReader = object({
  ...sendPlanFields,
  tamper: optional(flag),
  /** Signed with a key that the certificate is not about. */
  wrongSecret: optional(flag),
  /** Signed for somebody else's webhook. */
  wrongWebhook: optional(flag),
  /** Signed with a key whose certificate nobody should believe. */
  certificate: optional(oneOf(doubtfulKinds)),
  timestampOffsetSeconds: optional(whole),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export const noPlan: WebhookPlan = webhookPlanReader({}, 'plan');

/** The second up to which reports have data; null is now. */
export const reportPlanReader = object({ availableUntil: nullable(whole) });
type ReportPlan = ReadBy<typeof reportPlanReader>;

export const noReportPlan: ReportPlan = { availableUntil: null };

type Settings = {
  clientId: string;
  clientSecret: string;
  /** The receiver's webhook is known by this, and every signature covers it. */
  webhookId: string;
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
  certificates: Certificates;
  /** How often somebody fetched the certificate of a signer. */
  certificateReads: number;
  faults: FaultPlan<Fault>;
  hanging: Hanging;
  settings: Settings;
  plan: WebhookPlan;
  /** What becomes of the next refunds. */
  refundPlan: FaultPlan<RefundPlan>;
  reportPlan: ReportPlan;
  settlementPlan: SettlementPlan;
  publicUrl: () => string;
  /** Aborted when the program ends, so that nothing waits for a hanging answer. */
  ending: AbortController;
};

export function createProvider(
  settings: StartSettings,
  certificates: Certificates,
  publicUrl: () => string,
): Provider {
  const ending = new AbortController();
  return {
    db: openDatabase({ file: settings.dataFile, schema }),
    clock: createClock(),
    certificates,
    certificateReads: 0,
    faults: createFaultPlan<Fault>(),
    hanging: createHanging(ending.signal),
    settings: { ...settings, enabledEvents: ['*'] },
    plan: noPlan,
    refundPlan: createFaultPlan<RefundPlan>(),
    reportPlan: noReportPlan,
    settlementPlan: noSettlementPlan,
    publicUrl,
    ending,
  };
}
