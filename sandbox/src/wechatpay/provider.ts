import type { KeyObject } from 'node:crypto';
import { type BillPlan, noBillPlan } from '../platform/daily-bills.ts';
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
import type { NamedKey } from './keys.ts';
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
    'frequency_limited',
    // The work is done and the answer cannot be believed.
    'bad_signature',
    'signtest',
    'stale_signature',
    'future_signature',
    'unknown_serial',
    'unsigned',
    'truncated',
    'empty_200',
    'html_200',
    /** `body` is sent instead, signed as it should be unless it `isUnsigned`. */
    'other_answer',
  ]),
  body: optional(text),
  status: optional(atLeast(200)),
  isUnsigned: optional(flag),
});
export type Fault = PlannedFrom<ReadBy<typeof faultReader>>;

export const webhookPlanReader = object({
  ...sendPlanFields,
  tamper: optional(flag),
  /** Signed by somebody else, under our name. */
  wrongSecret: optional(flag),
  /** Signed by us and encrypted with a key that nobody has. */
  wrongApiV3Key: optional(flag),
  timestampOffsetSeconds: optional(whole),
  /** How many of the following attempts are probes with a wrong signature. */
  signTest: optional(atLeast(0)),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

/** Ids are those of transactions and refunds, amounts are fen. */
export const settlementPlanReader = object({
  ...settlementPlanFields(object({ amount: whole, outTradeNo: name, transactionId: name })),
  /** The file is not the one whose hash was told. */
  wrongHash: optional(flag),
});
type SettlementPlan = ReadBy<typeof settlementPlanReader>;

export const keyPlanReader = object({
  /** Which of the two keys signs; without it the one that the request asks for. */
  signWith: optional(oneOf(['certificate', 'public_key', 'alternate'])),
  /** Which of the APIv3 keys encrypts, counted from 0. */
  apiV3Key: optional(atLeast(0)),
});
type KeyPlan = ReadBy<typeof keyPlanReader>;

export const noKeyPlan: KeyPlan = keyPlanReader({}, 'plan');

export type StartSettings = CommonSettings & {
  /** The applications whose payers may pay this merchant. */
  appIds: readonly string[];
  mchId: string;
  /** What the merchant signs with, as far as we have it. */
  merchant: NamedKey;
  apiV3Keys: readonly string[];
  /** The two keys of ours that are live while merchants move from one to the other. */
  certificate: NamedKey;
  publicKey: NamedKey;
};

/** One payment provider: what it remembers, and how it has been told to misbehave. */
export type Provider = Common<Fault, WebhookPlan, SettlementPlan> & {
  settings: StartSettings & {
    /** Where all notifications go, whatever address an order gave. */
    webhookUrl: string | undefined;
    /** Seconds between attempts, on the sandbox's clock. */
    retrySeconds: readonly number[];
  };
  keyPlan: KeyPlan;
  billPlan: BillPlan;
  /** Counts what was signed, for keys that take turns. */
  signatures: number;
  /** A key that nobody trusts, for forgeries. */
  stranger: KeyObject;
};

/** 15 s, 15 s, 30 s, 3 min, … for a day and four minutes. */
export const providersRetrySeconds = [
  15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600,
] as const;

export function createProvider(
  settings: StartSettings,
  { publicUrl, stranger }: { publicUrl: () => string; stranger: KeyObject },
): Provider {
  const { dataFile } = settings;
  return {
    ...createCommon<Fault, WebhookPlan, SettlementPlan>({
      ...{ dataFile, schema, publicUrl },
      plan: webhookPlanReader({}, 'plan'),
      settlementPlan: settlementPlanReader({}, 'plan'),
    }),
    settings: { ...settings, webhookUrl: undefined, retrySeconds: providersRetrySeconds },
    keyPlan: noKeyPlan,
    billPlan: noBillPlan,
    signatures: 0,
    stranger,
  };
}
