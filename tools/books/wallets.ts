import type { Row, Snapshot } from './snapshot.ts';

/** All that the tables hold of one wallet, in the order in which it happened. */
export interface WalletPapers {
  accountId: string;
  /** Undefined if somebody's points have no wallet. */
  wallet: { basic: number; present: number; seq: number } | undefined;
  entries: Entry[];
  lots: Map<string, Lot>;
  drawsFrom: DrawsFrom;
  /** Draws that are of no entry, with the place where it should be. */
  strays: (Draw & { seq: number })[];
}

/** What an entry drew stands in its line, which is hashed, and once more as rows of their own. */
export type DrawsFrom = 'lines' | 'rows';

export interface Entry {
  seq: number;
  at: string;
  kind: string;
  originId: string;
  basic: number;
  present: number;
  basicAfter: number;
  presentAfter: number;
  /** Its draws as they were hashed. */
  line: string;
  draws: Draw[];
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
  /** Undefined if there is no such lot in the wallet. */
  lot: Lot | undefined;
  points: number;
}

/** Later than every moment that is written as in the tables. */
const never = '~';

// A wallet's rows as one text, because a million small rows take longer to hand over than to read, and
// in any order, because they come in the right one but for a few. No kind has the end of a cell in it: if
// somebody put one there, the cells are others than were hashed.
const rowsOf = (from: string, cells: readonly string[]) => `
  select account_id, string_agg(concat_ws(e'\\t', ${cells.join(', ')}), e'\\t')
  from ${from} group by account_id`;

const walletCells = ['basic', 'present', 'seq'];
const entryCells = [
  ...['seq', 'at', 'kind', 'origin_id', 'basic_change', 'present_change', 'basic_after'],
  ...['present_after', 'draws'],
];
const lotCells = [
  ...['lot_id', 'bucket', 'origin_id', 'granted', 'remaining', 'spent', 'expired', 'claimed'],
  ...[`coalesce(expires_at::text, '${never}')`, 'created_at', 'is_frozen'],
];
const drawCells = ['seq', 'position', 'lot_id', 'points'];

/**
 * One after the other, because all of them at once would fill the memory. They are asked for aside:
 * wallets are judged when orders have been, and those wait for their own papers.
 */
export async function readWallets(
  snapshot: Snapshot,
  drawsFrom: DrawsFrom,
): Promise<Iterable<WalletPapers>> {
  const [wallets, entries, lots, draws] = await Promise.all([
    byAccount(
      snapshot.query(`
        select account_id, concat_ws(e'\\t', ${walletCells.join(', ')}) from wallets`),
    ),
    byAccount(snapshot.queryAside(rowsOf('point_entries', entryCells))),
    byAccount(snapshot.queryAside(rowsOf('point_lots', lotCells))),
    drawsFrom === 'lines' ? undefined : byAccount(snapshot.query(rowsOf('point_draws', drawCells))),
  ]);
  return papersOf({ wallets, entries, lots }, draws);
}

type Texts = ReadonlyMap<string, string>;

function* papersOf(
  texts: { wallets: Texts; entries: Texts; lots: Texts },
  drawRows: Texts | undefined,
): Generator<WalletPapers> {
  const all = [...Object.values(texts), drawRows ?? new Map<string, string>()];
  const accounts = new Set(all.flatMap((text) => [...text.keys()]));
  for (const accountId of accounts) {
    const lots = new Map<string, Lot>();
    for (const lot of rowsIn(texts.lots.get(accountId), lotCells.length, readLot)) {
      lots.set(lot.lotId, lot);
    }
    const entries = rowsIn(texts.entries.get(accountId), entryCells.length, readEntry);
    const papers: WalletPapers = {
      accountId,
      wallet: rowsIn(texts.wallets.get(accountId), walletCells.length, readWallet)[0],
      entries: entries.sort((one, other) => one.seq - other.seq),
      lots,
      drawsFrom: drawRows === undefined ? 'lines' : 'rows',
      strays: [],
    };
    if (drawRows === undefined) addLines(papers);
    else addRows(papers, drawRows.get(accountId));
    yield papers;
  }
}

function addLines({ entries, lots }: WalletPapers): void {
  for (const entry of entries) {
    if (entry.line === '') continue;
    for (const draw of entry.line.split(',')) {
      const end = draw.indexOf(':');
      const lotId = draw.slice(0, end);
      const position = entry.draws.length + 1;
      const points = pointsOf(draw.slice(end + 1));
      entry.draws.push({ position, lotId, lot: lots.get(lotId), points });
    }
  }
}

function addRows({ entries, lots, strays }: WalletPapers, text: string | undefined): void {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  const rows = rowsIn(text, drawCells.length, (cell) => readDraw(cell, lots));
  for (const draw of rows.sort((one, other) => one.position - other.position)) {
    (bySeq.get(draw.seq)?.draws ?? strays).push(draw);
  }
}

async function byAccount(rows: Promise<readonly Row[]>): Promise<Texts> {
  return new Map((await rows).map(([accountId = '', text = '']) => [accountId, text]));
}

/** A cell of a row, by its place. */
type Cell = (index: number) => string;

/** Cut once for all rows, each of which has so many cells: there are many. */
function rowsIn<T>(text: string | undefined, width: number, readRow: (cell: Cell) => T): T[] {
  const rows: T[] = [];
  if (text === undefined) return rows;
  const cells = text.split('\t');
  for (let start = 0; start < cells.length; start += width) {
    rows.push(readRow((index) => cells[start + index] ?? ''));
  }
  return rows;
}

/** More than anybody has. Below it a wallet's points add up exactly. */
const pointsMax = 2 ** 40;

/** As a plain number, which is reckoned with in a fraction of the time. What is none equals nothing. */
function pointsOf(cell: string): number {
  const points = Number(cell);
  return Math.abs(points) < pointsMax ? points : Number.NaN;
}

function readWallet(cell: Cell): WalletPapers['wallet'] {
  return {
    basic: pointsOf(cell(0)),
    present: pointsOf(cell(1)),
    seq: Number(cell(2)),
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
