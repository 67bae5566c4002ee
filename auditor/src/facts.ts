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

type FieldName = keyof Fact;

const money: readonly FieldName[] = ['captureId', 'currency', 'amountMinor'];

/** The required fields of each type of fact. */
const requiredFields: Readonly<Record<string, readonly FieldName[]>> = {
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

const emptyFact: Fact = {
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
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== 'object' || parsed === null || !('type' in parsed)) return undefined;
  const type = String(parsed.type);
  const required = Object.hasOwn(requiredFields, type) ? requiredFields[type] : undefined;
  if (required === undefined) return undefined;
  const fact: Record<FieldName, string | bigint | number> = { ...emptyFact, type };
  const fields = new Map<string, unknown>(Object.entries(parsed));
  for (const name of required) {
    const value = readField(name, fields.get(name));
    if (value === undefined) return undefined;
    fact[name] = value;
  }
  return fact as unknown as Fact; // as: each word was read as what it has to be
}

function readField(name: FieldName, value: unknown): string | bigint | number | undefined {
  if (name === 'amountMinor') {
    return typeof value === 'string' && /^\d{1,18}$/.test(value) ? BigInt(value) : undefined;
  }
  if (name === 'round') return typeof value === 'number' ? value : undefined;
  return typeof value === 'string' ? value : undefined;
}
