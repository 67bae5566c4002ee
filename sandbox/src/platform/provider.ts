import { type Clock, createClock } from './clock.ts';
import { type Database, openDatabase } from './database.ts';
import { createFaultPlan, type FaultPlan, type Planned } from './fault-plan.ts';
import { createHanging, type Hanging } from './hanging.ts';
import type { RefundPlan } from './refund-plan.ts';

/** The settings common to all payment providers. */
export type CommonSettings = {
  webhookTimeoutMs: number;
  dataFile: string | undefined;
  /** The URL under which browsers reach its pages; by default the address that it listens on. */
  publicUrl: string | undefined;
};

/** The state common to all payment providers: records and planned faults. */
export type Common<Fault extends Planned, WebhookPlan, SettlementPlan> = {
  db: Database;
  clock: Clock;
  faults: FaultPlan<Fault>;
  hanging: Hanging;
  plan: WebhookPlan;
  /** The planned outcome of the next refunds. */
  refundPlan: FaultPlan<RefundPlan>;
  settlementPlan: SettlementPlan;
  publicUrl: () => string;
  /** Aborted when the program ends, so that hanging answers do not delay the exit. */
  ending: AbortController;
};

export function createCommon<Fault extends Planned, WebhookPlan, SettlementPlan>(input: {
  dataFile: string | undefined;
  schema: readonly string[];
  plan: WebhookPlan;
  settlementPlan: SettlementPlan;
  publicUrl: () => string;
}): Common<Fault, WebhookPlan, SettlementPlan> {
  const { dataFile, schema, plan, settlementPlan, publicUrl } = input;
  const ending = new AbortController();
  return {
    db: openDatabase({ file: dataFile, schema }),
    clock: createClock(),
    faults: createFaultPlan<Fault>(),
    hanging: createHanging(ending.signal),
    plan,
    refundPlan: createFaultPlan<RefundPlan>(),
    settlementPlan,
    publicUrl,
    ending,
  };
}
