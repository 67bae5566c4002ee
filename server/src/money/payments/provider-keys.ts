import type { Db, Tx } from '../../platform/db.ts';
import { closeCaseOfState, isCaseOpen, openCaseOfState } from '../cases/cases.ts';
import type { CreateResult, Payment, PaymentProvider, PaymentTruth } from '../psp/psp.ts';
import type { ProviderHealth } from '../routing/provider-health.ts';

// A provider that does not take our key lets nobody pay. Routing takes it out; here an operator is told.

const caseOf = (contract: string) => ({ kind: 'provider_key', subject: contract }) as const; // as: a kind

/** Opens the case once where our key was refused, and closes it where the answer needed a good key. */
export async function noteKey(tx: Tx, contract: string, result: CreateResult): Promise<void> {
  if (result.outcome === 'created') {
    if (result.wasAsked !== false) await closeCaseOfState(tx, caseOf(contract));
    return;
  }
  const said = result.outcome === 'rejected' ? result.code : result.cause;
  if (result.isKeyRefused === true) return await tell(tx, contract, said);
  // What an adapter refuses without asking has no word about the key.
  const isAnswer = result.outcome === 'rejected' && result.isKeyRefused === false;
  if (isAnswer) await closeCaseOfState(tx, caseOf(contract));
}

/** Asks how a payment stands, which also says whether our key is taken. */
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
