import { type Clock, createClock } from './clock.ts';
import { type Database, openDatabase } from './database.ts';
import { createFaultPlan, type FaultPlan, type Planned } from './fault-plan.ts';
import { createHanging, type Hanging } from './hanging.ts';
import type { RefundPlan } from './refund-plan.ts';

/** What every payment provider is started with. */
export type CommonSettings = {
  webhookTimeoutMs: number;
  dataFile: string | undefined;
  /** Where browsers find its pages; the address it listens on unless told otherwise. */
  publicUrl: string | undefined;
};

/** What every payment provider remembers, and how it has been told to misbehave. */
export type Common<Fault extends Planned, WebhookPlan, SettlementPlan> = {
  db: Database;
  clock: Clock;
  faults: FaultPlan<Fault>;
  hanging: Hanging;
  plan: WebhookPlan;
  /** What becomes of the next refunds. */
  refundPlan: FaultPlan<RefundPlan>;
  settlementPlan: SettlementPlan;
  publicUrl: () => string;
  /** Aborted when the program ends, so that nothing waits for a hanging answer. */
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
