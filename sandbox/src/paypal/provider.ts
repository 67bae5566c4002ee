import { faultFields, type PlannedFrom } from '../platform/fault-plan.ts';
import { type Common, type CommonSettings, createCommon } from '../platform/provider.ts';
import {
  flag,
  nullable,
  object,
  oneOf,
  optional,
  type ReadBy,
  type Reader,
  recordOf,
  whole,
} from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { type Certificates, doubtfulKinds } from './certificates.ts';
import { schema } from './schema.ts';
import { type SettlementPlan, settlementPlanReader } from './settlement-plan.ts';

const anything: Reader<unknown> = (value) => value;

export const faultReader = object({
  ...faultFields,
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'http503_before',
    'http429',
    'cut_before',
    'cut_after_commit',
    'hang',
    'json404_without_error',
    /** The work is committed, and the answer is unreadable. */
    'truncated',
    'empty200',
    'html200',
    'empty_object',
    /** The work is committed, and the fields of the answer at these paths are replaced. */
    'altered',
  ]),
  changes: optional(recordOf(anything)),
});
export type Fault = PlannedFrom<ReadBy<typeof faultReader>>;

export const webhookPlanReader = object({
  ...sendPlanFields,
  tamper: optional(flag),
  /** Signed with a key that does not match the certificate. */
  wrongSecret: optional(flag),
  /** Signed for another webhook id. */
  wrongWebhook: optional(flag),
  /** Signed with a key whose certificate is invalid. */
  certificate: optional(oneOf(doubtfulKinds)),
  timestampOffsetSeconds: optional(whole),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

/** The time up to which reports have data; null is the current time. */
export const reportPlanReader = object({ availableUntil: nullable(whole) });
type ReportPlan = ReadBy<typeof reportPlanReader>;

export const noReportPlan: ReportPlan = { availableUntil: null };

type Settings = CommonSettings & {
  clientId: string;
  clientSecret: string;
  /** The id of the receiver's webhook, which every signature covers. */
  webhookId: string;
  webhookUrl: string | undefined;
  /** The event types that the receiver subscribed to; `*` is all. */
  enabledEvents: readonly string[];
  webhookRetryBaseMs: number;
};

export type StartSettings = Omit<Settings, 'enabledEvents'>;

/** The state of one payment provider: its records and its planned faults. */
export type Provider = Common<Fault, WebhookPlan, SettlementPlan> & {
  certificates: Certificates;
  /** How often the certificate of each signer was fetched. */
  certificateReads: number;
  settings: Settings;
  reportPlan: ReportPlan;
};

export function createProvider(
  settings: StartSettings,
  certificates: Certificates,
  publicUrl: () => string,
): Provider {
  const { dataFile } = settings;
  return {
    ...createCommon<Fault, WebhookPlan, SettlementPlan>({
      dataFile,
      schema,
      publicUrl,
      plan: webhookPlanReader({}, 'plan'),
      settlementPlan: settlementPlanReader({}, 'plan'),
    }),
    certificates,
    certificateReads: 0,
    settings: { ...settings, enabledEvents: ['*'] },
    reportPlan: noReportPlan,
  };
}
