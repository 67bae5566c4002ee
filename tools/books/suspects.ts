import { randomInt } from 'node:crypto';
import { isNotPlain, numbersOf } from './numbers.ts';
import { paperKinds, written } from './papers.ts';
import type { Query, Snapshot } from './snapshot.ts';

/** An order that is gone through by itself, with all its papers as text. */
export interface Suspect {
  accountId: string;
  paymentId: string;
  text: string;
}

type Judge = (suspects: readonly Suspect[]) => void;

/**
 * Hands over every order that is not proven to be in order by sums alone: those that are not plain,
 * and, of a month whose sums do not come to nothing without them, those that make it so.
 */
export async function findSuspects(snapshot: Snapshot, judge: Judge): Promise<void> {
  const seed = randomInt(2 ** 40);
  const months = await snapshot.together(monthsOf);
  await Promise.all(months.map((month) => findSuspectsOf(snapshot, { month, seed, judge })));
}

async function findSuspectsOf(
  snapshot: Snapshot,
  { month, seed, judge }: { month: Range; seed: number; judge: Judge },
): Promise<void> {
  const [unplain, ...sums] = await Promise.all([
    readPapersOf(snapshot, unplainIn(month, seed), { month, seed }),
    ...sumsOver(month, seed).map(async (sql) => BigInt((await snapshot.query(sql))[0]?.[0] ?? '')),
  ]);
  judge(unplain.suspects);
  if (sums.reduce((sum, part) => sum + part, 0n) === unplain.sum) return;
  const found = await readPapersOf(snapshot, uncancelledIn(month, seed), { month, seed });
  const known = new Set(unplain.suspects.map(({ paymentId }) => paymentId));
  judge(found.suspects.filter(({ paymentId }) => !known.has(paymentId)));
}

/** Orders by their ids, which are in the order of time; empty is no limit. */
interface Range {
  from: string;
  until: string;
}

/** The months that the tables are cut by, and all before and after them. */
async function monthsOf(query: Query): Promise<Range[]> {
  const rows = await query(`
    select bounds[1], bounds[2]
    from pg_inherits join pg_class on pg_class.oid = inhrelid,
         regexp_match(pg_get_expr(relpartbound, inhrelid),
                      'FROM \\(''([-0-9a-f]+)''\\) TO \\(''([-0-9a-f]+)''\\)') as bounds
    where inhparent = 'orders'::regclass and bounds is not null`);
  const edges = [...new Set(rows.flat())].toSorted();
  return [...edges, ''].map((until, index) => ({ from: edges[index - 1] ?? '', until }));
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

/** What all rows of each table bring. */
function sumsOver(month: Range, seed: number): string[] {
  return numbersOf(seed).map(
    ({ from, key, number }) => `
      select coalesce(sum(${weight(key, seed)} * ${number}), 0) from ${from}
      where ${within(key, month)}`,
  );
}

const [orderPaper, ...otherPapers] = paperKinds;
const writtenOrder = written(orderPaper);

function unplainIn(month: Range, seed: number): string {
  const number = numbersOf(seed)[0]?.number;
  return `
    select account_id, payment_id, ${writtenOrder}, ${number}, kind = 'points' or currency = 'EPOINT'
    from orders where ${within('payment_id', month)} and ${isNotPlain}`;
}

/** Slowly, order by order: whose numbers do not come to nothing. */
function uncancelledIn(month: Range, seed: number): string {
  const tables = numbersOf(seed).map(
    ({ from, key, number }) => `
      select account_id, ${key}, ${number} from ${from} where ${within(key, month)}`,
  );
  return `
    select account_id, payment_id, case when state is null then '' else ${writtenOrder} end, 0, true
    from (
      select account_id, payment_id
      from (${tables.join(' union all ')}) as papers (account_id, payment_id, number)
      group by account_id, payment_id having sum(number) <> 0
    ) as found left join orders using (account_id, payment_id)`;
}

/** The chosen orders with all their papers, and what the rows of all of them bring. */
async function readPapersOf(
  snapshot: Snapshot,
  chosen: string,
  { month, seed }: { month: Range; seed: number },
): Promise<{ suspects: Suspect[]; sum: bigint }> {
  const numbers = new Map(numbersOf(seed).map(({ from, number }) => [from, number]));
  const tables = otherPapers.map(
    ({ from, key, isOfPoints, ...kind }) => `
      select ${written({ from, key, ...kind })}, ${numbers.get(from) ?? '0'} from ${from}
      where account_id = chosen_account and ${key} = chosen_order and ${within(key, month)}
        ${isOfPoints === true ? 'and moves_points' : ''}`,
  );
  const rows = await snapshot.query(`
    with chosen (chosen_account, chosen_order, order_paper, order_number, moves_points)
      as materialized (${chosen})
    select account_id, payment_id, concat(order_paper, e'\\n', papers),
           ${weight('payment_id', seed)} * (order_number + coalesce(number, 0))
    from chosen,
         lateral (select chosen_account as account_id, chosen_order as payment_id) as key,
         lateral (select string_agg(paper, e'\\n') as papers, sum(number) as number
                  from (${tables.join(' union all ')}) as rows (paper, number)) as whole`);
  let sum = 0n;
  const suspects = rows.map(([accountId = '', paymentId = '', text = '', number = '']) => {
    sum += BigInt(number);
    return { accountId, paymentId, text };
  });
  return { suspects, sum };
}
