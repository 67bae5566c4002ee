import { isLeg } from './check-legs.ts';
import type { ExpectedOrder } from './expected-order.ts';
import type { Violation } from './invariant.ts';
import type { OrderRow, TransferRow } from './order-rows.ts';
import type { ReplayedOrder } from './replayed-order.ts';

/** Checks that the ledger contains exactly the transfers that follow from an order's history. */
export function checkMoney({ rows, order, expectedOrder }: ReplayedOrder): Violation[] {
  const { paymentId, transfers } = rows;
  const violations: Violation[] = [];
  const booked: Sums = new Map();
  for (const transfer of transfers) {
    if (isLeg(transfer)) continue;
    const read = readTransfer(transfer);
    if (read !== undefined) add(booked, { ...read, unit: transfer.unit });
    else violations.push({ id: 'I1', text: unknownTransfer(paymentId, transfer) });
  }
  for (const { what, unit, is, should } of findDifferences(
    booked,
    expectedTransfers(order, expectedOrder),
  )) {
    const text =
      what === 'sale'
        ? `order ${paymentId} made a sale of ${is} ${unit}, expected ${should}`
        : `order ${paymentId} booked ${is} ${unit} as ${what}, expected ${should}`;
    violations.push({ id: 'I1', text });
  }
  const held = findDifferences(depositIn(transfers), expectedDeposit(order, expectedOrder));
  for (const { unit, is, should } of held) {
    const text = `order ${paymentId} holds ${is} ${unit}, expected ${should}`;
    violations.push({ id: 'I2', text });
  }
  return violations;
}

/** The sold amount: delivered, not revoked and not refunded. */
function soldMinor(order: OrderRow, expectedOrder: ExpectedOrder): bigint {
  if (!expectedOrder.isPaid || !expectedOrder.isDelivered || expectedOrder.isTakenBack) return 0n;
  const left = order.amountMinor - expectedOrder.lossMinor;
  return left > 0n ? left : 0n;
}

/** Amounts by purpose and unit. */
type Sums = Map<string, { what: string; unit: string; amountMinor: bigint }>;

function add(sums: Sums, sum: { what: string; unit: string; amountMinor: bigint }): void {
  const { what, unit, amountMinor } = sum;
  const name = `${what} ${unit}`;
  const before = sums.get(name)?.amountMinor ?? 0n;
  sums.set(name, { what, unit, amountMinor: before + amountMinor });
}

function findDifferences(
  actual: Sums,
  expected: Sums,
): { what: string; unit: string; is: bigint; should: bigint }[] {
  return [...new Set([...actual.keys(), ...expected.keys()])].flatMap((name) => {
    const [is, should] = [actual.get(name), expected.get(name)];
    const { what, unit } = is ?? should ?? { what: '', unit: '' };
    const pair = { is: is?.amountMinor ?? 0n, should: should?.amountMinor ?? 0n };
    return pair.is === pair.should ? [] : [{ what, unit, ...pair }];
  });
}

const transferRules: readonly {
  posting: RegExp;
  debit: string;
  credit: string;
  /** Whether an excess can be reversed by a transfer in the opposite direction. */
  isReversible: boolean;
}[] = [
  { posting: /^captured:/, debit: 'house:psp', credit: 'player:deposit', isReversible: false },
  { posting: /^refund:/, debit: 'player:deposit', credit: 'house:psp', isReversible: true },
  { posting: /:held$/, debit: 'house:disputed', credit: 'house:psp', isReversible: true },
  { posting: /:lost$/, debit: 'player:deposit', credit: 'house:psp', isReversible: true },
  { posting: /^sale:\d+$/, debit: 'player:deposit', credit: 'house:sales', isReversible: true },
];

/**
 * The purpose and amount of a transfer; undefined if the shop makes no such transfer. If a provider
 * reports a larger amount for a capture later, the difference has a posting of its own: the
 * capture's id, then attempt, currency and amount.
 */
function readTransfer(transfer: TransferRow): { what: string; amountMinor: bigint } | undefined {
  const { posting, debit, credit, amountMinor } = transfer;
  const what = posting
    .replace(/^(captured:[^:]+):[^:]+:[A-Z]{3}:\d+$/, '$1')
    .replace(/^(refund:[^:]+):\d+$/, '$1')
    .replace(/^(dispute:[^:]+):\d+:(held|lost)$/, '$1:$2')
    .replace(/^sale:\d+$/, 'sale');
  for (const rule of transferRules) {
    if (!rule.posting.test(posting)) continue;
    if (debit === rule.debit && credit === rule.credit) return { what, amountMinor };
    const isBack = debit === rule.credit && credit === rule.debit;
    if (isBack && rule.isReversible) return { what, amountMinor: -amountMinor };
  }
  return undefined;
}

function expectedTransfers(order: OrderRow, expectedOrder: ExpectedOrder): Sums {
  const expected: Sums = new Map();
  const expect = (what: string, unit: string, amountMinor: bigint) =>
    add(expected, { what, unit, amountMinor });
  for (const { captureId, currency, amountMinor } of expectedOrder.captures) {
    // Points are moved by the wallet, not by captures.
    if (currency !== 'EPOINT') expect(`captured:${captureId}`, currency, amountMinor);
  }
  for (const { refundId, currency, amountMinor, state } of expectedOrder.refunds) {
    if (currency === 'EPOINT' || state !== 'done') continue;
    expect(`refund:${refundId}`, currency, amountMinor);
  }
  for (const { disputeId, currency, amountMinor, stage } of expectedOrder.disputes) {
    if (stage === 'open') expect(`dispute:${disputeId}:held`, currency, amountMinor);
    if (stage === 'lost') expect(`dispute:${disputeId}:lost`, currency, amountMinor);
  }
  expect('sale', order.currency, soldMinor(order, expectedOrder));
  return expected;
}

/** The deposit of an order: paid, but neither delivered nor refunded. */
function expectedDeposit(order: OrderRow, expectedOrder: ExpectedOrder): Sums {
  const deposit: Sums = new Map();
  const expect = (unit: string, amountMinor: bigint) =>
    add(deposit, { what: '', unit, amountMinor });
  const gone = [
    ...expectedOrder.refunds.filter(({ state }) => state === 'done'),
    ...expectedOrder.disputes.filter(({ stage }) => stage === 'lost'),
  ];
  for (const { currency, amountMinor } of expectedOrder.captures) expect(currency, amountMinor);
  for (const { currency, amountMinor } of gone) expect(currency, -amountMinor);
  expect(order.currency, -soldMinor(order, expectedOrder));
  return deposit;
}

function depositIn(transfers: readonly TransferRow[]): Sums {
  const held: Sums = new Map();
  for (const { debit, credit, unit, amountMinor } of transfers) {
    if (credit === 'player:deposit') add(held, { what: '', unit, amountMinor });
    if (debit === 'player:deposit') add(held, { what: '', unit, amountMinor: -amountMinor });
  }
  return held;
}

function unknownTransfer(paymentId: string, transfer: TransferRow): string {
  const { posting, debit, credit, unit, amountMinor } = transfer;
  return (
    `transfer ${posting} of order ${paymentId} moves ${amountMinor} ${unit} ` +
    `from ${debit} to ${credit}, which nothing in the shop does`
  );
}
