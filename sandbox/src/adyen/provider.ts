import { faultFields, type PlannedFrom } from '../platform/fault-plan.ts';
import { type Common, type CommonSettings, createCommon } from '../platform/provider.ts';
import { settlementPlanFields } from '../platform/settlement-plan.ts';
import {
  atLeast,
  flag,
  name,
  object,
  oneOf,
  optional,
  type ReadBy,
  text,
  whole,
} from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { schema } from './schema.ts';

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
    /** The work is done and `body` is sent instead. */
    'other_answer',
  ]),
  body: optional(text),
  status: optional(atLeast(200)),
});
export type Fault = PlannedFrom<ReadBy<typeof faultReader>>;

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
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

/** Ids are those of payments and of what happened to them; amounts are signed. */
export const settlementPlanReader = object({
  ...settlementPlanFields(
    object({ type: name, pspReference: name, amount: whole, currency: name }),
  ),
  /** A report is there from the next day on, or always. */
  isReady: optional(flag),
});
type SettlementPlan = ReadBy<typeof settlementPlanReader>;

export type StartSettings = CommonSettings & {
  apiKey: string;
  merchantAccount: string;
  /** In hex. Two are live while one is being rotated. */
  hmacKeys: readonly string[];
  webhookUrl: string | undefined;
};

/** One payment provider: what it remembers, and how it has been told to misbehave. */
export type Provider = Common<Fault, WebhookPlan, SettlementPlan> & {
  settings: StartSettings & {
    /** Seconds between attempts, on the sandbox's clock. */
    retrySeconds: readonly number[];
  };
  /** Keys of requests that are being worked on. */
  busyKeys: Set<string>;
};

const hour = 3600;

/** Three times at once, then ever slower, and every eight hours for thirty days. */
export const providersRetrySeconds: readonly number[] = [
  ...[9, 18, 27, 120, 300, 600, 900, 1800, hour, 2 * hour, 4 * hour],
  ...Array.from({ length: 89 }, () => 8 * hour),
];

export function createProvider(settings: StartSettings, publicUrl: () => string): Provider {
  const { dataFile } = settings;
  return {
    ...createCommon<Fault, WebhookPlan, SettlementPlan>({
      ...{ dataFile, schema, publicUrl },
      plan: webhookPlanReader({}, 'plan'),
      settlementPlan: settlementPlanReader({}, 'plan'),
    }),
    settings: { ...settings, retrySeconds: providersRetrySeconds },
    busyKeys: new Set(),
  };
}
