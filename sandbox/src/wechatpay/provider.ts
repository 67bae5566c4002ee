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
import type { NamedKey } from './keys.ts';
import { schema } from './schema.ts';

export const faultReader = object({
  /** A method and a path or a route, as in `POST /v3/pay/transactions/h5`. */
  match: text,
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
  times: optional(atLeast(1)),
  hangMs: optional(atLeast(1)),
  body: optional(text),
  status: optional(atLeast(200)),
  isUnsigned: optional(flag),
});
export type Fault = Omit<ReadBy<typeof faultReader>, 'times'> & { times: number };

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
export type WebhookPlan = ReadBy<typeof webhookPlanReader>;

export const noPlan: WebhookPlan = webhookPlanReader({}, 'plan');

/** What a test gets wrong in bills; ids are those of transactions and refunds, amounts are fen. */
export const settlementPlanReader = object({
  omit: optional(listOf(name)),
  alter: optional(recordOf(whole)),
  /** Payments that nobody made. */
  invent: optional(listOf(object({ amount: whole, outTradeNo: name, transactionId: name }))),
  /** The file is not the one whose hash was told. */
  wrongHash: optional(flag),
});
export type SettlementPlan = ReadBy<typeof settlementPlanReader>;

export const noSettlementPlan: SettlementPlan = settlementPlanReader({}, 'plan');

export const keyPlanReader = object({
  /** Which of the two keys signs; without it the one that the request asks for. */
  signWith: optional(oneOf(['certificate', 'public_key', 'alternate'])),
  /** Which of the APIv3 keys encrypts, counted from 0. */
  apiV3Key: optional(atLeast(0)),
});
export type KeyPlan = ReadBy<typeof keyPlanReader>;

export const noKeyPlan: KeyPlan = keyPlanReader({}, 'plan');

export const billPlanReader = object({
  /** A bill is there from ten o'clock of the next day on, always, or not yet. */
  outcome: oneOf(['next_day', 'ready', 'creating']),
});
type BillPlan = ReadBy<typeof billPlanReader>;

export const noBillPlan: BillPlan = { outcome: 'next_day' };

export type StartSettings = {
  /** The applications whose payers may pay this merchant. */
  appIds: readonly string[];
  mchId: string;
  /** What the merchant signs with, as far as we have it. */
  merchant: NamedKey;
  apiV3Keys: readonly string[];
  /** The two keys of ours that are live while merchants move from one to the other. */
  certificate: NamedKey;
  publicKey: NamedKey;
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

/** 15 s, 15 s, 30 s, 3 min, … for a day and four minutes. */
export const providersRetrySeconds = [
  15, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10_800, 10_800, 10_800, 21_600, 21_600,
] as const;

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
