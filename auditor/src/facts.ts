/** A fact of an order's history. Fields that its type does not have are empty. */
export interface Fact {
  type: string;
  attemptId: string;
  captureId: string;
  currency: string;
  amountMinor: bigint;
  refundId: string;
  reason: string;
  outcome: string;
  disputeId: string;
  stage: string;
  result: string;
  round: number;
}

type Name = keyof Fact;

const money: readonly Name[] = ['captureId', 'currency', 'amountMinor'];

/** The required fields of each type of fact. */
const words: Readonly<Record<string, readonly Name[]>> = {
  attempt_opened: ['attemptId'],
  attempt_declined: ['attemptId'],
  attempt_closed: ['attemptId'],
  captured: ['attemptId', ...money],
  expired: [],
  delivery_failed: [],
  delivery_stuck: ['round', 'reason'],
  delivery_resumed: ['round'],
  delivered: [],
  refund_requested: ['refundId', 'reason', ...money],
  refund_settled: ['refundId', 'outcome', ...money],
  disputed: ['disputeId', 'stage', ...money],
  revoked: ['result'],
};

const nothing: Fact = {
  type: '',
  attemptId: '',
  captureId: '',
  currency: '',
  amountMinor: 0n,
  refundId: '',
  reason: '',
  outcome: '',
  disputeId: '',
  stage: '',
  result: '',
  round: 0,
};

/** Undefined if the type is unknown or a required field is missing or malformed. */
export function readFact(json: string): Fact | undefined {
  const told: unknown = JSON.parse(json);
  if (typeof told !== 'object' || told === null || !('type' in told)) return undefined;
  const type = String(told.type);
  const needed = Object.hasOwn(words, type) ? words[type] : undefined;
  if (needed === undefined) return undefined;
  const fact: Record<Name, string | bigint | number> = { ...nothing, type };
  const said = new Map<string, unknown>(Object.entries(told));
  for (const name of needed) {
    const value = readWord(name, said.get(name));
    if (value === undefined) return undefined;
    fact[name] = value;
  }
  return fact as unknown as Fact; // as: each word was read as what it has to be
}

function readWord(name: Name, value: unknown): string | bigint | number | undefined {
  if (name === 'amountMinor') {
    return typeof value === 'string' && /^\d{1,18}$/.test(value) ? BigInt(value) : undefined;
  }
  if (name === 'round') return typeof value === 'number' ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}
