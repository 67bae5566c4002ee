import type { KeyObject } from 'node:crypto';
import { type Clock, createClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { createFaultPlan, type FaultPlan } from '../platform/fault-plan.ts';
import { createHanging, type Hanging } from '../platform/hanging.ts';
import type { RefundPlan } from '../platform/refund-plan.ts';
import {
  atLeast,
  flag,
  listOf,
  name,
  object,
  oneOf,
  optional,
  type ReadBy,
  recordOf,
  text,
  whole,
} from '../platform/shape.ts';
import { sendPlanFields } from '../platform/webhook-plan.ts';
import { schema } from './schema.ts';

export const faultReader = object({
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
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
  body: optional(text),
  status: optional(atLeast(200)),
  isRaw: optional(flag),
});
export type Fault = Omit<ReadBy<typeof faultReader>, 'times'> & { times: number };

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
export const noPlan: WebhookPlan = webhookPlanReader({}, 'plan');

/** What a test gets wrong in bills; ids are those of trades and refunds, amounts are fen. */
export const settlementPlanReader = object({
  omit: optional(listOf(name)),
  alter: optional(recordOf(whole)),
  /** Payments that nobody made. */
  invent: optional(listOf(object({ amount: whole, outTradeNo: name, tradeNo: name }))),
  /** The sums at the end are of other lines. */
  wrongSums: optional(flag),
});
type SettlementPlan = ReadBy<typeof settlementPlanReader>;
export const noSettlementPlan: SettlementPlan = settlementPlanReader({}, 'plan');

export const keyPlanReader = object({ signWith: oneOf(['first', 'next', 'alternate']) });
type KeyPlan = ReadBy<typeof keyPlanReader>;
export const noKeyPlan: KeyPlan = { signWith: 'first' };

export const billPlanReader = object({
  /** A bill is there from nine o'clock of the next day on, always, or not yet. */
  outcome: oneOf(['next_day', 'ready', 'creating']),
});
type BillPlan = ReadBy<typeof billPlanReader>;
export const noBillPlan: BillPlan = { outcome: 'next_day' };

export type StartSettings = {
  appId: string;
  /** The account that is paid. */
  sellerId: string;
  /** What the merchant signs with, as far as we have it. */
  merchantKey: KeyObject;
  /** The two keys of ours that are live while they are changed. */
  keys: readonly [first: KeyObject, next: KeyObject];
  webhookTimeoutMs: number;
  dataFile: string | undefined;
  /** Where browsers find the cashier; the address it listens on unless told otherwise. */
  publicUrl: string | undefined;
};

/** One payment provider: what it remembers, and how it has been told to misbehave. */
export type Provider = {
  db: Database;
  clock: Clock;
  faults: FaultPlan<Fault>;
  hanging: Hanging;
  settings: StartSettings & {
    /** Where all notifications go, whatever address an order gave. */
    webhookUrl: string | undefined;
    /** Seconds between attempts, on the sandbox's clock. */
    retrySeconds: readonly number[];
  };
  plan: WebhookPlan;
  refundPlan: FaultPlan<RefundPlan>;
  settlementPlan: SettlementPlan;
  keyPlan: KeyPlan;
  billPlan: BillPlan;
  /** Counts what was signed, for keys that take turns. */
  signatures: number;
  /** A key that nobody trusts, for forgeries. */
  stranger: KeyObject;
  publicUrl: () => string;
  /** Aborted when the program ends, so that nothing waits for a hanging answer. */
  ending: AbortController;
};

/** Three times at once, then after 4 min, 10 min, 10 min, 1 h, 2 h, 6 h and 15 h. */
export const providersRetrySeconds = [0, 0, 240, 600, 600, 3600, 7200, 21_600, 54_000] as const;

export function createProvider(
  settings: StartSettings,
  input: { publicUrl: () => string; stranger: KeyObject },
): Provider {
  const ending = new AbortController();
  return {
    db: openDatabase({ file: settings.dataFile, schema }),
    clock: createClock(),
    faults: createFaultPlan<Fault>(),
    hanging: createHanging(ending.signal),
    settings: { ...settings, webhookUrl: undefined, retrySeconds: providersRetrySeconds },
    plan: noPlan,
    refundPlan: createFaultPlan<RefundPlan>(),
    settlementPlan: noSettlementPlan,
    keyPlan: noKeyPlan,
    billPlan: noBillPlan,
    signatures: 0,
    stranger: input.stranger,
    publicUrl: input.publicUrl,
    ending,
  };
}
