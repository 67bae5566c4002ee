import { isNotPlain, numbersOf } from './numbers.ts';
import { type Kind, paperKinds, written } from './papers.ts';
import type { Row, Snapshot } from './snapshot.ts';
import type { Totals } from './totals.ts';

/** An order that is gone through by itself, with all its papers as text. */
export interface Suspect {
  accountId: string;
  paymentId: string;
  text: string;
  /** How many papers the text should have. */
  count: number;
}

/** Orders by their ids, which are in the order of time; empty is no limit. */
export interface Range {
  from: string;
  until: string;
}

/** The months that the tables are cut by, and all before and after them. */
export async function readMonths(snapshot: Snapshot): Promise<Range[]> {
  const rows = await snapshot.query(`
    select bounds[1], bounds[2]
    from pg_inherits join pg_class on pg_class.oid = inhrelid,
         regexp_match(pg_get_expr(relpartbound, inhrelid),
                      'FROM \\(''([-0-9a-f]+)''\\) TO \\(''([-0-9a-f]+)''\\)') as bounds
    where inhparent = 'orders'::regclass and bounds is not null`);
  const edges = [...new Set(rows.flat())].toSorted();
  return [...edges, ''].map((until, index) => ({ from: edges[index - 1] ?? '', until }));
}

export function isWithin(id: string, { from, until }: Range): boolean {
  return id >= from && (until === '' || id < until);
}

function within(key: string, { from, until }: Range): string {
  const limits = [
    ...(from === '' ? [] : [`${key} >= '${from}'`]),
    ...(until === '' ? [] : [`${key} < '${until}'`]),
  ];
  return limits.length === 0 ? 'true' : limits.join(' and ');
}

/** So that nothing of one order cancels out with something of another. */
function weight(key: string, seed: number): string {
  return `(uuid_hash_extended(${key}, uuid_hash_extended(account_id, ${seed})) & 2147483647)`;
}

/** What all rows of all tables bring. If it is what the unplain ones do, the others are in order. */
export async function sumOfAll(totals: Totals, seed: number): Promise<bigint> {
  return sumOf(
    numbersOf(seed).map(({ from, key, number }) =>
      totals.of(from, `sum(${weight(key, seed)} * ${number})`),
    ),
  );
}

/** The same of one month. */
export async function sumOfMonth(snapshot: Snapshot, month: Range, seed: number): Promise<bigint> {
  return sumOf(
    numbersOf(seed).map(async ({ from, key, number }) => {
      const [[sum = ''] = []] = await snapshot.query(`
        select coalesce(sum(${weight(key, seed)} * ${number}), 0) from ${from}
        where ${within(key, month)}`);
      return BigInt(sum);
    }),
  );
}

async function sumOf(parts: readonly Promise<bigint>[]): Promise<bigint> {
  return (await Promise.all(parts)).reduce((sum, part) => sum + part, 0n);
}

/** An order that is not plain, with its own paper. */
interface Unplain {
  accountId: string;
  paymentId: string;
  /** Whether it is for points or was paid with them, as PostgreSQL writes it. */
  movesPoints: string;
  paper: string;
}

const [orderKind, ...otherKinds] = paperKinds;
const movesPoints = `(kind = 'points' or currency = 'EPOINT')`;

/** Found in the same pass in which orders are added up. */
export async function listUnplain(totals: Totals): Promise<Unplain[]> {
  const text = `concat_ws(' ', account_id, payment_id, ${movesPoints}, ${written(orderKind)})`;
  return (await totals.listOf('orders', text, isNotPlain)).map((line) => {
    const [accountId = '', paymentId = '', moves = ''] = line.split(' ', 3);
    const paper = line.slice([accountId, paymentId, moves, ''].join(' ').length);
    return { accountId, paymentId, movesPoints: moves, paper };
  });
}

/** All papers of such orders, and what their rows bring but for the order and its intent. */
export async function readUnplain(
  snapshot: Snapshot,
  orders: readonly Unplain[],
  { month, seed }: Reading,
): Promise<{ suspects: Suspect[]; sum: bigint }> {
  const often = otherKinds.filter(({ from, isRare }) => from !== 'order_keys' && isRare !== true);
  const rarely = otherKinds.filter(({ isRare }) => isRare === true);
  const chosen = 'select * from unnest($1::uuid[], $2::uuid[], $3::boolean[])';
  const wanted = [
    listed(orders.map(({ accountId }) => accountId)),
    listed(orders.map(({ paymentId }) => paymentId)),
    listed(orders.map((order) => order.movesPoints)),
  ];
  const [rows, ...more] = await Promise.all([
    snapshot.query(papersOf(chosen, often, { month, seed }), wanted),
    ...rarely.map((kind) => snapshot.query(rarePapers(kind, { month, seed }))),
  ]);
  const byOrder = new Map(rows.map((row) => [nameOf(row), read(row)]));
  for (const row of more.flat()) {
    const suspect = byOrder.get(nameOf(row));
    // One of a plain order stays in the sums, and so is found.
    if (suspect !== undefined) addTo(suspect, read(row));
  }
  let sum = 0n;
  for (const { accountId, paymentId, paper } of orders) {
    const suspect = byOrder.get(accountId + paymentId);
    if (suspect === undefined) throw new Error(`Order ${paymentId} was asked for and not read.`);
    sum += suspect.sum;
    // The sums say that it has an intent.
    addTo(suspect, { text: `${paper}\norder_keys`, count: 2, sum: 0n });
  }
  return { suspects: [...byOrder.values()], sum };
}

/** Ids as PostgreSQL writes a list. The driver would look into each for something to escape. */
function listed(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}

/** Slowly, order by order: those whose numbers do not come to nothing, unplain ones among them. */
export async function readUncancelled(
  snapshot: Snapshot,
  month: Range,
  seed: number,
): Promise<Suspect[]> {
  const tables = numbersOf(seed).map(
    ({ from, key, number }) => `
      select account_id, ${key}, ${number} from ${from} where ${within(key, month)}`,
  );
  const chosen = `
    select account_id, payment_id, true
    from (${tables.join(' union all ')}) as papers (account_id, payment_id, number)
    group by account_id, payment_id having sum(number) <> 0
    union
    select account_id, payment_id, true from orders
    where ${within('payment_id', month)} and ${isNotPlain}`;
  return (await snapshot.query(papersOf(chosen, paperKinds, { month, seed }))).map(read);
}

interface Reading {
  month: Range;
  seed: number;
}

/** Of each chosen order: its key, its papers, how many they are, and what their rows bring. */
function papersOf(chosen: string, kinds: readonly Kind[], { month, seed }: Reading): string {
  const numbers = new Map(numbersOf(seed).map(({ from, number }) => [from, number]));
  const tables = kinds.map((kind) => {
    const { from, key, isOfPoints } = kind;
    return `
      select ${written(kind)}, ${numbers.get(from) ?? '0'} from ${from}
      where account_id = chosen_account and ${key} = chosen_order and ${within(key, month)}
        ${isOfPoints === true ? 'and moves_points' : ''}`;
  });
  return `
    with chosen (chosen_account, chosen_order, moves_points) as materialized (${chosen})
    select account_id, payment_id, papers, count, ${weight('payment_id', seed)} * number
    from chosen,
         lateral (select chosen_account as account_id, chosen_order as payment_id) as key,
         lateral (select string_agg(paper, e'\\n') as papers, count(*) as count,
                         coalesce(sum(number), 0) as number
                  from (${tables.join(' union all ')}) as rows (paper, number)) as whole`;
}

/** The same of all orders of a month that have such papers. */
function rarePapers(kind: Kind, { month, seed }: Reading): string {
  const { from, key } = kind;
  const { number = '0' } = numbersOf(seed).find((table) => table.from === from) ?? {};
  return `
    select account_id, ${key}, string_agg(${written(kind)}, e'\\n'), count(*),
           sum(${weight(key, seed)} * ${number})
    from ${from} where ${within(key, month)} group by account_id, ${key}`;
}

type ReadSuspect = Suspect & { sum: bigint };

function read([accountId = '', paymentId = '', text = '', count, sum = '']: Row): ReadSuspect {
  return { accountId, paymentId, text, count: Number(count), sum: BigInt(sum) };
}

function addTo(suspect: ReadSuspect, more: Pick<ReadSuspect, 'text' | 'count' | 'sum'>): void {
  suspect.text = suspect.text === '' ? more.text : `${suspect.text}\n${more.text}`;
  suspect.count += more.count;
  suspect.sum += more.sum;
}

/** An order's papers may be somebody else's. */
function nameOf([accountId = '', paymentId = '']: Row): string {
  return accountId + paymentId;
}
