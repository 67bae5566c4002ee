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

export const faultReader = object({
  ...faultFields,
  /** A method such as `alipay.trade.precreate`, or `download` for a bill file. */
  match: text,
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'cut_before',
    'cut_after_commit',
    'hang',
    'json404_without_error',
    /** A signed error: the gateway is busy and has done nothing. */
    'unavailable',
    /** A signed error of unknown outcome, although the work was committed. */
    'system_error_after_commit',
    // The work is committed, and the answer is forged or unreadable.
    'bad_signature',
    'altered',
    'unsigned',
    'error_response',
    'other_method',
    'truncated',
    'empty_200',
    'html_200',
    /** `body` is answered as signed content, or unsigned as the whole body if `isRaw` is set. */
    'other_answer',
  ]),
  body: optional(text),
  status: optional(atLeast(200)),
  isRaw: optional(flag),
});
export type Fault = PlannedFrom<ReadBy<typeof faultReader>>;

export const webhookPlanReader = object({
  ...sendPlanFields,
  tamper: optional(flag),
  /** Signed with an unknown key. */
  wrongSecret: optional(flag),
  /** Signed correctly, but for another application or seller. */
  wrongAppId: optional(flag),
  wrongSellerId: optional(flag),
  timestampOffsetSeconds: optional(whole),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export const keyPlanReader = object({ signWith: oneOf(['first', 'next', 'alternate']) });
type KeyPlan = ReadBy<typeof keyPlanReader>;
export const noKeyPlan: KeyPlan = { signWith: 'first' };

export type StartSettings = CommonSettings & {
  appId: string;
  /** The seller's account. */
  sellerId: string;
  /** The public key that verifies the merchant's signatures. */
  merchantKey: KeyObject;
  /** The provider's two live keys during a key rotation. */
  keys: readonly [first: KeyObject, next: KeyObject];
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

/** Three immediate attempts, then after 4 min, 10 min, 10 min, 1 h, 2 h, 6 h and 15 h. */
export const providersRetrySeconds = [0, 0, 240, 600, 600, 3600, 7200, 21_600, 54_000] as const;

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
