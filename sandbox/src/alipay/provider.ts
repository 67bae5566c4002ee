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
import { schema } from './schema.ts';

export const faultReader = object({
  ...faultFields,
  /** The name of a call, as in `alipay.trade.precreate`, or `download` for the file of a bill. */
  match: text,
  kind: oneOf([
    'http500_before',
    'http500_after_commit',
    'cut_before',
    'cut_after_commit',
    'hang',
    'json404_without_error',
    /** Signed: the gateway is busy and has done nothing. */
    'unavailable',
    /** Signed: it does not know itself, and it is done. */
    'system_error_after_commit',
    // The work is done and the answer cannot be believed.
    'bad_signature',
    'altered',
    'unsigned',
    'error_response',
    'other_method',
    'truncated',
    'empty_200',
    'html_200',
    /** `body` is sent as the answer's content, signed; or as it is where it `isRaw`. */
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
  /** Signed by somebody else. */
  wrongSecret: optional(flag),
  /** Signed by us, about another application or seller. */
  wrongAppId: optional(flag),
  wrongSellerId: optional(flag),
  timestampOffsetSeconds: optional(whole),
});
type WebhookPlan = ReadBy<typeof webhookPlanReader>;

/** Ids are those of trades and refunds, amounts are fen. */
export const settlementPlanReader = object({
  ...settlementPlanFields(object({ amount: whole, outTradeNo: name, tradeNo: name })),
  /** The sums at the end are of other lines. */
  wrongSums: optional(flag),
});
type SettlementPlan = ReadBy<typeof settlementPlanReader>;

export const keyPlanReader = object({ signWith: oneOf(['first', 'next', 'alternate']) });
type KeyPlan = ReadBy<typeof keyPlanReader>;
export const noKeyPlan: KeyPlan = { signWith: 'first' };

export type StartSettings = CommonSettings & {
  appId: string;
  /** The account that is paid. */
  sellerId: string;
  /** What the merchant signs with, as far as we have it. */
  merchantKey: KeyObject;
  /** The two keys of ours that are live while they are changed. */
  keys: readonly [first: KeyObject, next: KeyObject];
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

/** Three times at once, then after 4 min, 10 min, 10 min, 1 h, 2 h, 6 h and 15 h. */
export const providersRetrySeconds = [0, 0, 240, 600, 600, 3600, 7200, 21_600, 54_000] as const;

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
