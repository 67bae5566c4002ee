import type { Db, Tx } from '../../platform/db.ts';
import { closeCaseOfState, isCaseOpen, openCaseOfState } from '../cases/cases.ts';
import type { CreateResult, Payment, PaymentProvider, PaymentTruth } from '../psp/psp.ts';
import type { ProviderHealth } from '../routing/provider-health.ts';

// A provider that rejects the API key accepts no payment. Routing disables it, and this file opens
// a case for an operator.

const caseOf = (contract: string) => ({ kind: 'provider_key', subject: contract }) as const; // as: a kind

/** Opens a case when the key is rejected, and closes it when a call succeeds that needs the key. */
export async function noteKey(tx: Tx, contract: string, result: CreateResult): Promise<void> {
  if (result.outcome === 'created') {
    if (result.wasAsked !== false) await closeCaseOfState(tx, caseOf(contract));
    return;
  }
  const said = result.outcome === 'rejected' ? result.code : result.cause;
  if (result.isKeyRefused === true) return await tell(tx, contract, said);
  // A refusal by the adapter itself, without a call, says nothing about the key.
  const isAnswer = result.outcome === 'rejected' && result.isKeyRefused === false;
  if (isAnswer) await closeCaseOfState(tx, caseOf(contract));
}

/** Queries a payment, which also shows whether the key is accepted. */
export async function queryAtProvider(
  { db, health }: { db: Db; health: ProviderHealth },
  provider: PaymentProvider,
  payment: Payment,
): Promise<PaymentTruth> {
  const begunAt = Date.now();
  const truth = await provider.queryPayment(payment);
  const { name } = provider;
  const isAnswered = truth.outcome !== 'unknown';
  const isKeyRefused = truth.outcome === 'unknown' && truth.isKeyRefused === true;
  await health.toldOfQuestion(name, { begunAt, endedAt: Date.now(), isAnswered, isKeyRefused });
  if (truth.outcome === 'unknown') {
    if (isKeyRefused) await db.transaction((tx) => tell(tx, name, truth.cause));
  } else if (await isCaseOpen(db, caseOf(name))) {
    await db.transaction((tx) => closeCaseOfState(tx, caseOf(name)));
  }
  return truth;
}

async function tell(tx: Tx, contract: string, said: string): Promise<void> {
  await openCaseOfState(tx, { ...caseOf(contract), details: { contract, said } });
}
