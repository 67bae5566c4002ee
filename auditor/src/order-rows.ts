import { isOfGift } from './gifts.ts';
import { gracePeriod } from './invariant.ts';

/** All rows of one order, by table. */
export interface OrderRows {
  accountId: string;
  paymentId: string;
  order: OrderRow | undefined;
  intents: number;
  events: EventRow[];
  attempts: AttemptRow[];
  deliveries: DeliveryRow[];
  refunds: RefundRow[];
  revocations: RevocationRow[];
  transfers: TransferRow[];
  entries: EntryRow[];
  steps: StepRow[];
  cases: CaseRow[];
}

export interface OrderRow {
  kind: string;
  currency: string;
  amountMinor: bigint;
  state: string;
  closedReason: string;
  reviewReason: string;
  version: number;
  refundedMinor: bigint;
  isDisputed: boolean;
  wasPaid: boolean;
  hasArrived: boolean;
  /** Of a top-up: bought points, and those that came with them. */
  basic: bigint;
  present: bigint;
}
interface EventRow {
  seq: number;
  fact: string;
  before: string;
  after: string;
}
export interface AttemptRow {
  attemptId: string;
  state: string;
  currency: string;
  amountMinor: bigint;
  captureId: string;
}
export interface DeliveryRow {
  state: string;
  tries: number;
  round: number;
  /** The next attempt is overdue. */
  isOverdue: boolean;
  isPromised: boolean;
  isPromiseBroken: boolean;
}
interface RefundRow {
  refundId: string;
  attemptId: string;
  captureId: string;
  currency: string;
  amountMinor: bigint;
  state: string;
  isOverdue: boolean;
}
interface RevocationRow {
  state: string;
  result: string;
  isOverdue: boolean;
}
export interface TransferRow {
  posting: string;
  debit: string;
  credit: string;
  unit: string;
  amountMinor: bigint;
}
export interface EntryRow {
  kind: string;
  posting: string;
  basic: bigint;
  present: bigint;
}
export interface StepRow {
  step: number;
  basicGranted: bigint;
  presentGranted: bigint;
  basicKept: bigint;
  presentKept: bigint;
  presentClaimed: bigint;
  presentOwed: bigint;
}
interface CaseRow {
  kind: string;
  subject: string;
  isOpen: boolean;
}

/** A kind of row: how it is written as text, and how that text is parsed. */
export interface Kind {
  from: string;
  /** The column with the order's id. */
  key: string;
  cells: readonly string[];
  /** A condition that excludes rows which do not belong to an order. */
  where?: string;
  /**
   * Whether the rows are found by the order's id alone instead of by account and order; only of
   * existing orders.
   */
  isById?: boolean;
  read(rows: OrderRows, cells: readonly string[]): void;
}

const late = (column: string) => `coalesce(${column} < now() - ${gracePeriod}, false)`;
const isTrue = (cell: string | undefined) => cell === 't';

export const rowKinds: readonly Kind[] = [
  {
    from: 'orders',
    key: 'payment_id',
    cells: [
      ...['kind', 'currency', 'amount_minor', 'state', 'closed_reason', 'review_reason', 'version'],
      ...['refunded_minor', 'is_disputed', 'paid_at is not null', 'arrived_at is not null'],
      `case kind when 'points' then pack_quantity * pack_count else 0 end`,
      `case kind when 'points' then gift_quantity * pack_count else 0 end`,
    ],
    read: (rows, [kind = '', currency = '', amount = '', state = '', closed = '', ...rest]) => {
      const [review = '', version, refunded = '', disputed, paid, arrived, ...points] = rest;
      const [basic = 0n, present = 0n] = points.map(BigInt);
      rows.order = {
        kind,
        currency,
        amountMinor: BigInt(amount),
        state,
        closedReason: closed,
        reviewReason: review,
        version: Number(version),
        refundedMinor: BigInt(refunded),
        isDisputed: isTrue(disputed),
        wasPaid: isTrue(paid),
        hasArrived: isTrue(arrived),
        basic,
        present,
      };
    },
  },
  {
    from: 'order_keys',
    key: 'payment_id',
    isById: true,
    cells: [],
    read: (rows) => {
      rows.intents += 1;
    },
  },
  {
    from: 'order_events',
    key: 'payment_id',
    cells: ['seq', 'fact', 'state_before', 'state_after'],
    read: (rows, [seq, fact = '', before = '', after = '']) => {
      rows.events.push({ seq: Number(seq), fact, before, after });
    },
  },
  {
    from: 'payment_attempts',
    key: 'payment_id',
    cells: ['attempt_id', 'state', 'currency', 'amount_minor', 'capture_id'],
    read: (rows, [attemptId = '', state = '', currency = '', amount = '', captureId = '']) => {
      const amountMinor = BigInt(amount);
      rows.attempts.push({ attemptId, state, currency, amountMinor, captureId });
    },
  },
  {
    from: 'deliveries',
    key: 'payment_id',
    cells: [
      ...['state', 'tries', 'round', late('next_try_at'), 'promise_at is not null'],
      late('promise_at'),
    ],
    read: (rows, [state = '', tries, round, overdue, promised, broken]) => {
      rows.deliveries.push({
        state,
        tries: Number(tries),
        round: Number(round),
        isOverdue: isTrue(overdue),
        isPromised: isTrue(promised),
        isPromiseBroken: isTrue(broken),
      });
    },
  },
  {
    from: 'refunds',
    key: 'payment_id',
    cells: [
      ...['refund_id', 'attempt_id', 'capture_id', 'currency', 'amount_minor', 'state'],
      late('next_check_at'),
    ],
    read: (rows, [refundId = '', attemptId = '', captureId = '', currency = '', ...rest]) => {
      const [amount = '', state = '', overdue] = rest;
      rows.refunds.push({
        refundId,
        attemptId,
        captureId,
        currency,
        amountMinor: BigInt(amount),
        state,
        isOverdue: isTrue(overdue),
      });
    },
  },
  {
    from: 'revocations',
    key: 'payment_id',
    cells: ['state', 'result', late('next_try_at')],
    read: (rows, [state = '', result = '', overdue]) => {
      rows.revocations.push({ state, result, isOverdue: isTrue(overdue) });
    },
  },
  {
    from: 'ledger_transfers',
    key: 'origin_id',
    cells: ['posting', 'debit_book', 'credit_book', 'unit', 'amount_minor'],
    read: (rows, [posting = '', debit = '', credit = '', unit = '', amount = '']) => {
      rows.transfers.push({ posting, debit, credit, unit, amountMinor: BigInt(amount) });
    },
  },
  {
    from: 'point_entries',
    key: 'origin_id',
    cells: ['kind', 'posting', 'basic_change', 'present_change'],
    read: (rows, [kind = '', posting = '', basic = '', present = '']) => {
      rows.entries.push({ kind, posting, basic: BigInt(basic), present: BigInt(present) });
    },
  },
  {
    from: 'top_up_steps',
    key: 'origin_id',
    where: `not ${isOfGift}`,
    cells: [
      ...['step', 'basic_granted', 'present_granted', 'basic_kept', 'present_kept'],
      ...['present_claimed', 'present_owed'],
    ],
    read: (rows, [step, ...points]) => {
      const [basicGranted = 0n, presentGranted = 0n, basicKept = 0n, presentKept = 0n, ...gone] =
        points.map(BigInt);
      const [presentClaimed = 0n, presentOwed = 0n] = gone;
      rows.steps.push({
        step: Number(step),
        basicGranted,
        presentGranted,
        basicKept,
        presentKept,
        presentClaimed,
        presentOwed,
      });
    },
  },
  {
    from: 'cases',
    key: 'payment_id',
    isById: true,
    cells: ['kind', 'subject', 'resolved_at is null'],
    read: (rows, [kind = '', subject = '', open]) => {
      rows.cases.push({ kind, subject, isOpen: isTrue(open) });
    },
  },
];

const kinds = new Map(rowKinds.map((kind) => [kind.from, kind]));

/** All rows of one order as text, as they were read. */
export interface OrderToCheck {
  accountId: string;
  paymentId: string;
  text: string;
  /** The number of rows that the text must have. */
  count: number;
}

/**
 * Undefined if the text has another number of rows: somebody has stored a row or cell separator in
 * a column, so that one row looks like two.
 */
export function readOrderRows({
  accountId,
  paymentId,
  text,
  count,
}: OrderToCheck): OrderRows | undefined {
  const rows: OrderRows = {
    accountId,
    paymentId,
    order: undefined,
    intents: 0,
    events: [],
    attempts: [],
    deliveries: [],
    refunds: [],
    revocations: [],
    transfers: [],
    entries: [],
    steps: [],
    cases: [],
  };
  const lines = text.split('\n');
  if (lines.length !== count) return undefined;
  for (const line of lines) {
    const [from = '', ...cells] = line.split('\t');
    const kind = kinds.get(from);
    if (kind === undefined || kind.cells.length !== cells.length) return undefined;
    kind.read(rows, cells);
  }
  rows.events.sort((one, other) => one.seq - other.seq);
  return rows;
}
