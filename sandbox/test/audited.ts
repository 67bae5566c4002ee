interface Program {
  get(path: string): Promise<unknown>;
}

type Listed = Record<string, string | number | null> & { metadata?: { refundId?: string } };

/** What of a record matters to an auditor. A refund is named as whoever asked for it named it. */
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

/** A line for each record of payments with ids in a range, without money that did not move. */
export async function auditedIn(
  program: Program,
  kind: string,
  { from = '', until = '' } = {},
): Promise<string[]> {
  // The program is ours, and the tests look at every field they use.
  const page = await program.get(`/__sandbox/${kind}?from=${from}&until=${until}`);
  const records = (page as Record<string, Listed[]>)[kind] ?? [];
  const isMoney = kind === 'charges' || kind === 'refunds';
  return records
    .filter(({ status = 'succeeded' }) => !isMoney || status === 'succeeded')
    .map((record) => lines[kind]?.(record).join('|') ?? '')
    .toSorted();
}

/** In the order in which `auditedIn` answers. */
export function sorted(lines: readonly string[]): string[] {
  return lines.toSorted();
}
