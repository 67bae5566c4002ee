import { faultFields, type PlannedFrom } from '../platform/fault-plan.ts';
import { type Common, type CommonSettings, createCommon } from '../platform/provider.ts';
import { flag, nullable, object, oneOf, optional, type ReadBy, whole } from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { schema } from './schema.ts';
import { type SettlementPlan, settlementPlanReader } from './settlement-plan.ts';

export const faultReader = object({
  ...faultFields,
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'cut_after_commit',
    'hang',
    'json404_without_error',
  ]),
  /** Whether a 500 is stored for its idempotency key; true by default. */
  stored: optional(flag),
});
export type Fault = PlannedFrom<ReadBy<typeof faultReader>>;

export const webhookPlanReader = object({
  ...sendPlanFields,
  tamper: optional(flag),
  wrongSecret: optional(flag),
  timestampOffsetSeconds: optional(whole),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export const reportPlanReader = object({
  /** The outcome of unfinished report runs; a pending run ends when this changes. */
  outcome: optional(oneOf(['succeeded', 'pending', 'failed'])),
  /** The time up to which reports have data; null is the current time. */
  availableUntil: optional(nullable(whole)),
});
export type ReportPlan = {
  outcome: 'succeeded' | 'pending' | 'failed';
  availableUntil: number | null;
};

export const noReportPlan: ReportPlan = { outcome: 'succeeded', availableUntil: null };

type Settings = CommonSettings & {
  secretKey: string;
  webhookSecret: string;
  webhookUrl: string | undefined;
  /** The event types that the receiver subscribed to; `*` is all. */
  enabledEvents: readonly string[];
  webhookRetryBaseMs: number;
};

export type StartSettings = Omit<Settings, 'enabledEvents'>;

/** The state of one payment provider: its records and its planned faults. */
export type Provider = Common<Fault, WebhookPlan, SettlementPlan> & {
  settings: Settings;
  reportPlan: ReportPlan;
  /** The report files being written, by run id. */
  filesInWork: Map<string, Promise<void>>;
};

export function createProvider(settings: StartSettings, publicUrl: () => string): Provider {
  const { dataFile } = settings;
  return {
    ...createCommon<Fault, WebhookPlan, SettlementPlan>({
      dataFile,
      schema,
      publicUrl,
      plan: webhookPlanReader({}, 'plan'),
      settlementPlan: settlementPlanReader({}, 'plan'),
    }),
    settings: { ...settings, enabledEvents: ['*'] },
    reportPlan: noReportPlan,
    filesInWork: new Map(),
  };
}
