import type { KeyObject } from 'node:crypto';
import { type BillPlan, noBillPlan } from '../platform/daily-bills.ts';
import { faultFields, type PlannedFrom } from '../platform/fault-plan.ts';
import { type Common, type CommonSettings, createCommon } from '../platform/provider.ts';
import {
  atLeast,
  flag,
  object,
  oneOf,
  optional,
  type ReadBy,
  text,
  whole,
} from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { schema } from './schema.ts';
import { type SettlementPlan, settlementPlanReader } from './settlement-plan.ts';
import type { NamedKey } from './signature.ts';

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
    // The work is committed, and the answer is forged or unreadable.
    'bad_signature',
    'signtest',
    'stale_signature',
    'future_signature',
    'unknown_serial',
    'unsigned',
    'truncated',
    'empty_200',
    'html_200',
    /** `body` is answered instead, with a valid signature unless `isUnsigned` is set. */
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
  /** Signed with an unknown key, but under the id of the provider's key. */
  wrongSecret: optional(flag),
  /** Signed correctly, but encrypted with an unknown key. */
  wrongApiV3Key: optional(flag),
  timestampOffsetSeconds: optional(whole),
  /** How many of the next attempts are probes with a wrong signature. */
  signTest: optional(atLeast(0)),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export const keyPlanReader = object({
  /** The key that signs; by default the one that the request names. */
  signWith: optional(oneOf(['certificate', 'public_key', 'alternate'])),
  /** The index of the APIv3 key that encrypts. */
  apiV3Key: optional(atLeast(0)),
});
type KeyPlan = ReadBy<typeof keyPlanReader>;

export const noKeyPlan: KeyPlan = keyPlanReader({}, 'plan');

export type StartSettings = CommonSettings & {
  /** The app ids that may open orders for this merchant. */
  appIds: readonly string[];
  mchId: string;
  /** The public key that verifies the merchant's signatures. */
  merchant: NamedKey;
  apiV3Keys: readonly string[];
  /** The provider's two live keys, while merchants migrate from one to the other. */
  certificate: NamedKey;
  publicKey: NamedKey;
};

/** The state of one payment provider: its records and its planned faults. */
export type Provider = Common<Fault, WebhookPlan, SettlementPlan> & {
  settings: StartSettings & {
    /** Receives all notifications in place of the notify_url of each order. */
    webhookUrl: string | undefined;
    /** Seconds between attempts, on the sandbox's clock. */
    retrySeconds: readonly number[];
  };
  keyPlan: KeyPlan;
  billPlan: BillPlan;
  /** The number of signatures made, to alternate between two keys. */
  signatures: number;
  /** A key unknown to receivers, with which forgeries are signed. */
  stranger: KeyObject;
};

/** 15 s, 15 s, 30 s, 3 min, … for 24 hours and four minutes in all. */
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
      dataFile,
      schema,
      publicUrl,
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
