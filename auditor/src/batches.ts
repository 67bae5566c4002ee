import type { Query } from './database.ts';
import { type Kind, paperKinds, type Suspect } from './papers.ts';
import { type IdRange, idsIn } from './ranges.ts';

/** Orders with all their papers, some thousand rows of the tables of a month at once. */
export interface Batch {
  suspects: Suspect[];
  /** Undefined once all were read. */
  end: OrderKey | undefined;
}

/** Accounts and ids that papers lie between, as values of a question. */
export interface Between {
  after: OrderKey;
  end: OrderKey | undefined;
}

export interface OrderKey {
  accountId: string;
  id: string;
}

const nobody = '00000000-0000-0000-0000-000000000000';
export const firstKey: OrderKey = { accountId: nobody, id: nobody };

/** By account, because the tables of a month have no other order that an index knows. */
const keyedKinds = paperKinds.filter(({ isById }) => isById !== true);

export function valuesOf({ after, end }: Between): string[] {
  return [after.accountId, after.id, ...(end === undefined ? [] : [end.accountId, end.id])];
}

/** What is between two keys in a range of ids, as SQL for `valuesOf`. */
export function isBetween(key: string, range: IdRange, { end }: Between): string {
  const upTo = end === undefined ? '' : `and (account_id, ${key}) <= ($3::uuid, $4::uuid)`;
  return `(account_id, ${key}) > ($1::uuid, $2::uuid) ${upTo} and ${idsIn(key, range)}`;
}

/** No table has more rows than that up to there, but for those of the last order. */
export async function findEnd(
  query: Query,
  range: IdRange,
  { after, rows }: { after: OrderKey; rows: number },
): Promise<OrderKey | undefined> {
  const ends = keyedKinds.map(
    ({ from, key }) => `
      (select account_id, ${key} as id from ${from}
       where ${isBetween(key, range, { after, end: undefined })}
       order by account_id, ${key} offset ${rows - 1} limit 1)`,
  );
  const [end] = await query(
    `select account_id, id from (${ends.join(' union all ')}) as ends order by account_id, id limit 1`,
    valuesOf({ after, end: undefined }),
  );
  const [accountId, id] = end ?? [];
  return accountId === undefined || id === undefined ? undefined : { accountId, id };
}

/** Papers whose order is not there are read like all others. */
export async function readBatch(query: Query, range: IdRange, between: Between): Promise<Batch> {
  const keyed = keyedKinds.map(
    (kind) => `
      select account_id, ${kind.key}, ${written(kind)} from ${kind.from}
      where ${isBetween(kind.key, range, between)} ${kind.where === undefined ? '' : `and ${kind.where}`}`,
  );
  const byId = paperKinds
    .filter(({ isById }) => isById === true)
    .map(
      (kind) => `
      select chosen_account, chosen_order, paper
      from chosen,
           -- One by one: all together are taken for so many that the whole table is read.
           lateral (select account_id, ${written(kind)} as paper from ${kind.from}
                    where payment_id = chosen_order offset 0) as papers
      where account_id = chosen_account`,
    );
  const rows = await query(
    `with chosen (chosen_account, chosen_order) as materialized (
       select account_id, payment_id from orders where ${isBetween('payment_id', range, between)}
     )
     select account_id, id, string_agg(paper, e'\\n'), count(*)
     from (${[...keyed, ...byId].join(' union all ')}) as papers (account_id, id, paper)
     group by account_id, id`,
    valuesOf(between),
  );
  return {
    suspects: rows.map(([accountId = '', paymentId = '', text = '', count]) => ({
      ...{ accountId, paymentId, text, count: Number(count) },
    })),
    end: between.end,
  };
}

/** What is written of a row, as SQL: which kind of paper it is, then each cell. */
function written({ from, cells }: Kind): string {
  const form = [from, ...cells.map(() => '%s')].join('\\t');
  return `format(${[`e'${form}'`, ...cells].join(', ')})`;
}
