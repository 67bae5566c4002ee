interface Program {
  get(path: string): Promise<unknown>;
}

type Listed = Record<string, string | number | null> & { metadata?: { refundId?: string } };

/**
 * The fields of a record that an auditor compares. A refund is identified by its refundId, if any.
 */
const lines: Record<string, (record: Listed) => unknown[]> = {
  charges: (paid) => [paid.paymentId, paid.payment_intent, paid.amount, paid.currency],
  refunds: ({ metadata, ...refund }) => [
    ...[refund.paymentId, refund.payment_intent, metadata?.refundId ?? refund.id],
    ...[refund.amount, refund.currency],
  ],
  disputes: (dispute) => [
    ...[dispute.paymentId, dispute.payment_intent, dispute.id, dispute.status, dispute.amount],
    dispute.currency,
  ],
  grants: (given) => [
    ...[given.paymentId, given.gameId, given.serverId, given.roleId, given.gameAccountId],
    ...[given.sku, given.quantity, given.times],
  ],
  revocations: ({ paymentId, result }) => [paymentId, result],
};

/** One line for each record in a range of payment ids, without unsuccessful charges and refunds. */
export async function auditedIn(
  program: Program,
  kind: string,
  { from = '', until = '' } = {},
): Promise<string[]> {
  // The sandbox is part of this project, and the tests check every field that they use.
  const page = await program.get(`/__sandbox/${kind}?from=${from}&until=${until}`);
  const records = (page as Record<string, Listed[]>)[kind] ?? [];
  const isMoney = kind === 'charges' || kind === 'refunds';
  return records
    .filter(({ status = 'succeeded' }) => !isMoney || status === 'succeeded')
    .map((record) => lines[kind]?.(record).join('|') ?? '')
    .toSorted();
}

/** Sorts lines in the order of `auditedIn`. */
export function sorted(lines: readonly string[]): string[] {
  return lines.toSorted();
}
