import { type AccountRange, accountsIn, accountValues } from './account-ranges.ts';
import type { Query } from './database.ts';
import { disputesOf, type FrozenTimes, frozenTimes } from './frozen.ts';
import type { Purposes } from './gifts.ts';
import type { IdRange } from './ranges.ts';

/** All rows of one wallet, in the order in which they were written. */
export interface WalletRows {
  accountId: string;
  /** Undefined if points belong to a missing wallet. */
  wallet: { basic: number; present: number; seq: number; head: string } | undefined;
  entries: Entry[];
  lots: Map<string, Lot>;
  /** Draws without an entry, with the sequence number of the missing entry. */
  strays: (Draw & { seq: number })[];
}

export interface Entry {
  seq: number;
  at: string;
  kind: string;
  originId: string;
  basic: number;
  present: number;
  basicAfter: number;
  presentAfter: number;
  /** The draws as text, as they were hashed; they are also stored as rows. */
  line: string;
  draws: Draw[];
  prevHash: string;
  hash: string;
}

export interface Lot {
  lotId: string;
  bucket: string;
  originId: string;
  granted: number;
  remaining: number;
  spent: number;
  expired: number;
  claimed: number;
  endsAt: string;
  createdAt: string;
  isFrozen: boolean;
}

export interface Draw {
  position: number;
  lotId: string;
  /** Undefined if the wallet has no such lot. */
  lot: Lot | undefined;
  points: number;
}

/** Sorts after every timestamp in the tables' format. */
const never = '~';

// The rows of a wallet are read as one text, because transferring a million small rows takes longer
// than reading them. They are nearly sorted already, so they are not sorted by SQL. No cell can
// contain a separator: if somebody stored one, the cells would differ from what was hashed.
interface Kind {
  from: string;
  cells: readonly string[];
}

const kinds = {
  wallets: { from: 'wallets', cells: ['basic', 'present', 'seq', `encode(head, 'hex')`] },
  entries: {
    from: 'point_entries',
    cells: [
      ...['seq', 'at', 'kind', 'origin_id', 'basic_change', 'present_change', 'basic_after'],
      ...['present_after', 'draws', `encode(prev_hash, 'hex')`, `encode(hash, 'hex')`],
    ],
  },
  lots: {
    from: 'point_lots',
    cells: [
      ...['lot_id', 'bucket', 'origin_id', 'granted', 'remaining', 'spent', 'expired', 'claimed'],
      ...[`coalesce(expires_at::text, '${never}')`, 'created_at', 'is_frozen'],
    ],
  },
  draws: { from: 'point_draws', cells: ['seq', 'position', 'lot_id', 'points'] },
} satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

const rowsOf = (name: KindName, accounts: AccountRange) => {
  const { from, cells } = kinds[name];
  return `
    select account_id, '${name}', string_agg(concat_ws(e'\\t', ${cells.join(', ')}), e'\\t')
    from ${from} where ${accountsIn('account_id', accounts)} group by account_id`;
};

/** The origin of points that were given for an order, and the disputes of top-ups. */
const purposesAndDisputes = (accounts: AccountRange) => `
  select account_id, 'purpose', concat_ws(e'\\t', payment_id, redemption_id)
  from redemptions where payment_id is not null and ${accountsIn('account_id', accounts)}
  union all ${disputesOf(accounts)}`;

/** Reads all point data of a range of accounts in one snapshot. */
export async function readWallets(
  query: Query,
  accounts: AccountRange,
  ranges: readonly IdRange[],
): Promise<{ wallets: WalletRows[]; frozen: FrozenTimes; purposes: Purposes }> {
  const names: KindName[] = ['wallets', 'entries', 'lots', 'draws'];
  const sql = [...names.map((name) => rowsOf(name, accounts)), purposesAndDisputes(accounts)];
  const rows = await query(sql.join(' union all '), accountValues(accounts));
  const texts = new Map(names.map((name) => [name, new Map<string, string>()]));
  const disputes: string[] = [];
  const purposes = new Map<string, string>();
  for (const [accountId = '', kind = '', text = ''] of rows) {
    const [first = '', second = ''] = kind === 'purpose' ? text.split('\t') : [];
    if (kind === 'purpose') purposes.set(first, second);
    else if (kind === 'dispute') disputes.push(text);
    else texts.get(kind as KindName)?.set(accountId, text); // as: the question names them so
  }
  const ids = new Set([...texts.values()].flatMap((text) => [...text.keys()]));
  return {
    wallets: [...ids].map((accountId) =>
      readWalletRows(accountId, (name) => texts.get(name)?.get(accountId)),
    ),
    frozen: frozenTimes(disputes, ranges),
    purposes,
  };
}

function readWalletRows(
  accountId: string,
  textOf: (name: KindName) => string | undefined,
): WalletRows {
  const read = <T>(name: KindName, readRow: (cell: Cell) => T) =>
    rowsIn(textOf(name), kinds[name].cells.length, readRow);
  const lots = new Map(read('lots', readLot).map((lot) => [lot.lotId, lot]));
  const entries = read('entries', readEntry).sort((one, other) => one.seq - other.seq);
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  const strays: WalletRows['strays'] = [];
  const draws = read('draws', (cell) => readDraw(cell, lots));
  for (const draw of draws.sort((one, other) => one.position - other.position)) {
    (bySeq.get(draw.seq)?.draws ?? strays).push(draw);
  }
  return { accountId, wallet: read('wallets', readWallet)[0], entries, lots, strays };
}

/** A cell of a row, by its index. */
type Cell = (index: number) => string;

/** Splits the text once for all rows, each of which has `width` cells, because there are many. */
function rowsIn<T>(text: string | undefined, width: number, readRow: (cell: Cell) => T): T[] {
  const rows: T[] = [];
  if (text === undefined) return rows;
  const cells = text.split('\t');
  for (let start = 0; start < cells.length; start += width) {
    rows.push(readRow((index) => cells[start + index] ?? ''));
  }
  return rows;
}

/** More than any balance. Below it, sums of points are exact as numbers. */
const pointsMax = 2 ** 40;

/**
 * As a number, because bigint arithmetic is much slower. Malformed text becomes NaN, which equals
 * nothing.
 */
function pointsOf(cell: string): number {
  const points = Number(cell);
  return Math.abs(points) < pointsMax ? points : Number.NaN;
}

function readWallet(cell: Cell): WalletRows['wallet'] {
  return {
    basic: pointsOf(cell(0)),
    present: pointsOf(cell(1)),
    seq: Number(cell(2)),
    head: cell(3),
  };
}

function readEntry(cell: Cell): Entry {
  return {
    seq: Number(cell(0)),
    at: cell(1),
    kind: cell(2),
    originId: cell(3),
    basic: pointsOf(cell(4)),
    present: pointsOf(cell(5)),
    basicAfter: pointsOf(cell(6)),
    presentAfter: pointsOf(cell(7)),
    line: cell(8),
    draws: [],
    prevHash: cell(9),
    hash: cell(10),
  };
}

function readLot(cell: Cell): Lot {
  return {
    lotId: cell(0),
    bucket: cell(1),
    originId: cell(2),
    granted: pointsOf(cell(3)),
    remaining: pointsOf(cell(4)),
    spent: pointsOf(cell(5)),
    expired: pointsOf(cell(6)),
    claimed: pointsOf(cell(7)),
    endsAt: cell(8),
    createdAt: cell(9),
    isFrozen: cell(10) === 't',
  };
}

function readDraw(cell: Cell, lots: ReadonlyMap<string, Lot>): Draw & { seq: number } {
  const lotId = cell(2);
  return {
    seq: Number(cell(0)),
    position: Number(cell(1)),
    lotId,
    lot: lots.get(lotId),
    points: pointsOf(cell(3)),
  };
}
