import type { Row, Snapshot } from './snapshot.ts';

/** All that the tables hold of one wallet, in the order in which it happened. */
export interface WalletPapers {
  accountId: string;
  /** Undefined if somebody's points have no wallet. */
  wallet: { basic: number; present: number; seq: number; head: string } | undefined;
  entries: Entry[];
  lots: Map<string, Lot>;
  /** By the entry they belong to, in their order. */
  draws: Map<number, Draw[]>;
}

export interface Entry {
  seq: number;
  at: string;
  kind: string;
  originId: string;
  posting: string;
  basic: number;
  present: number;
  basicAfter: number;
  presentAfter: number;
  draws: string;
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
  seq: number;
  position: number;
  lotId: string;
  /** Undefined if there is no such lot in the wallet. */
  lot: Lot | undefined;
  points: number;
}

/** Later than every moment that is written as in the tables. */
const never = '~';

// A wallet's rows as one text, because a million small rows take longer to hand over than to read.
// Neither a kind nor a posting has the end of a line or of a cell in it: if somebody put one there,
// the cells are others than were hashed.
const rowsOf = (from: string, cells: readonly string[], order: string) => `
  select account_id, string_agg(concat_ws(e'\\t', ${cells.join(', ')}), e'\\n' order by ${order})
  from ${from} group by account_id`;

const entryCells = [
  ...['seq', 'at', 'kind', 'origin_id', 'posting', 'basic_change', 'present_change', 'basic_after'],
  ...['present_after', 'draws', `encode(prev_hash, 'hex')`, `encode(hash, 'hex')`],
];
const lotCells = [
  ...['lot_id', 'bucket', 'origin_id', 'granted', 'remaining', 'spent', 'expired', 'claimed'],
  ...[`coalesce(expires_at::text, '${never}')`, 'created_at', 'is_frozen'],
];
const drawCells = ['seq', 'position', 'lot_id', 'points'];

/** One after the other, because all of them at once would fill the memory. */
export async function readWallets(snapshot: Snapshot): Promise<Iterable<WalletPapers>> {
  const [wallets, entries, lots, draws] = await Promise.all([
    byAccount(
      snapshot.query(`
        select account_id, concat_ws(e'\\t', basic, present, seq, encode(head, 'hex')) from wallets`),
    ),
    byAccount(snapshot.query(rowsOf('point_entries', entryCells, 'seq'))),
    byAccount(snapshot.query(rowsOf('point_lots', lotCells, 'lot_id'))),
    byAccount(snapshot.query(rowsOf('point_draws', drawCells, 'seq, position'))),
  ]);
  return papersOf({ wallets, entries, lots, draws });
}

type Texts = ReadonlyMap<string, string>;

function* papersOf(texts: {
  wallets: Texts;
  entries: Texts;
  lots: Texts;
  draws: Texts;
}): Generator<WalletPapers> {
  const accounts = new Set(Object.values(texts).flatMap((text) => [...text.keys()]));
  for (const accountId of accounts) {
    const lots = new Map(linesOf(texts.lots.get(accountId)).map((line) => pairOf(readLot(line))));
    const draws = linesOf(texts.draws.get(accountId)).map((line) => readDraw(line, lots));
    yield {
      accountId,
      wallet: linesOf(texts.wallets.get(accountId)).map(readWallet)[0],
      entries: linesOf(texts.entries.get(accountId)).map(readEntry),
      lots,
      draws: Map.groupBy(draws, ({ seq }) => seq),
    };
  }
}

async function byAccount(rows: Promise<readonly Row[]>): Promise<Texts> {
  return new Map((await rows).map(([accountId = '', text = '']) => [accountId, text]));
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split('\n');
}

/** More than anybody has. Below it a wallet's points add up exactly. */
const pointsMax = 2 ** 40;

/** As a plain number, which is reckoned with in a fraction of the time. What is none equals nothing. */
function pointsOf(cell: string): number {
  const points = Number(cell);
  return Math.abs(points) < pointsMax ? points : Number.NaN;
}

function readWallet(line: string): WalletPapers['wallet'] {
  const [basic = '', present = '', seq, head = ''] = line.split('\t');
  return { basic: pointsOf(basic), present: pointsOf(present), seq: Number(seq), head };
}

function pairOf(lot: Lot): [string, Lot] {
  return [lot.lotId, lot];
}

function readEntry(line: string): Entry {
  // One list and no rest of it: there are many lines.
  const cells = line.split('\t');
  const [seq, at = '', kind = '', originId = '', posting = '', basic = '', present = ''] = cells;
  const { 7: basicAfter = '', 8: presentAfter = '', 9: draws = '' } = cells;
  const { 10: prevHash = '', 11: hash = '' } = cells;
  return {
    seq: Number(seq),
    at,
    kind,
    originId,
    posting,
    basic: pointsOf(basic),
    present: pointsOf(present),
    basicAfter: pointsOf(basicAfter),
    presentAfter: pointsOf(presentAfter),
    draws,
    prevHash,
    hash,
  };
}

function readLot(line: string): Lot {
  const cells = line.split('\t');
  const [lotId = '', bucket = '', originId = '', granted = '', remaining = '', spent = ''] = cells;
  const { 6: expired = '', 7: claimed = '', 8: endsAt = '', 9: createdAt = '', 10: frozen } = cells;
  return {
    lotId,
    bucket,
    originId,
    granted: pointsOf(granted),
    remaining: pointsOf(remaining),
    spent: pointsOf(spent),
    expired: pointsOf(expired),
    claimed: pointsOf(claimed),
    endsAt,
    createdAt,
    isFrozen: frozen === 't',
  };
}

function readDraw(line: string, lots: ReadonlyMap<string, Lot>): Draw {
  const [seq, position, lotId = '', points = ''] = line.split('\t');
  return {
    seq: Number(seq),
    position: Number(position),
    lotId,
    lot: lots.get(lotId),
    points: pointsOf(points),
  };
}
