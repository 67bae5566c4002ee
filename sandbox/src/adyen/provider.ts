import { faultFields, type PlannedFrom } from '../platform/fault-plan.ts';
import { type Common, type CommonSettings, createCommon } from '../platform/provider.ts';
import { atLeast, flag, object, oneOf, optional, type ReadBy, text } from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { schema } from './schema.ts';
import { type SettlementPlan, settlementPlanReader } from './settlement-plan.ts';

export const faultReader = object({
  ...faultFields,
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
    /** The work is committed, and `body` is answered instead. */
    'other_answer',
  ]),
  body: optional(text),
  status: optional(atLeast(200)),
});
export type Fault = PlannedFrom<ReadBy<typeof faultReader>>;

export const webhookPlanReader = object({
  ...sendPlanFields,
  /** Changes a signed field after signing. */
  tamper: optional(flag),
  /** Signed with an unknown key. */
  wrongSecret: optional(flag),
  /** The index of the key that signs. */
  key: optional(atLeast(0)),
  /** The maximum number of events in one message; events due together are sent together. */
  batch: optional(atLeast(1)),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export type StartSettings = CommonSettings & {
  apiKey: string;
  merchantAccount: string;
  /** HMAC keys in hex. Two are live during a rotation. */
  hmacKeys: readonly string[];
  webhookUrl: string | undefined;
};

/** The state of one payment provider: its records and its planned faults. */
export type Provider = Common<Fault, WebhookPlan, SettlementPlan> & {
  settings: StartSettings & {
    /** Seconds between attempts, on the sandbox's clock. */
    retrySeconds: readonly number[];
  };
  /** The idempotency keys of requests in progress. */
  busyKeys: Set<string>;
};

const hour = 3600;

/** Three immediate attempts, then growing delays up to eight hours, for thirty days. */
export const providersRetrySeconds: readonly number[] = [
  ...[9, 18, 27, 120, 300, 600, 900, 1800, hour, 2 * hour, 4 * hour],
  ...Array.from({ length: 89 }, () => 8 * hour),
];

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
    settings: { ...settings, retrySeconds: providersRetrySeconds },
    busyKeys: new Set(),
  };
}
