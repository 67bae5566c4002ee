import pg from 'pg';
import {
  copyIntoMonths,
  copyOrder,
  givenOwners,
  type Query,
} from '../../tools/old-orders/old-orders.ts';

/** A shop with orders of past months, copied from one that was paid by card and delivered. */
export interface YearsOfOrders {
  query: Query;
  psp: string;
  paymentId: string;
}

export async function givenPastMonths(
  { query, paymentId }: YearsOfOrders,
  { months, allOrders }: { months: number; allOrders: number },
): Promise<string[]> {
  await givenOwners(query, allOrders);
  const count = Math.ceil(allOrders / months);
  return copyIntoMonths(query, paymentId, { months, count, accountIds: [] });
}

/** A settlement day whose lines match the orders, as after its file was read. */
export async function givenDay(
  { query, psp, paymentId }: YearsOfOrders,
  day: string,
  count: number,
): Promise<void> {
  const begins = `'${day}T00:00:00Z'::timestamptz`;
  const ends = `(${begins} + interval '1 day')`;
  const name = `d${day.replaceAll('-', '')}n`;
  await copyOrder(query, paymentId, { begins, ends, count, name }, []);
  await query(
    `insert into settlement_days (psp, day, imported_at, compared_at) values ('${psp}', '${day}', now(), now());
     insert into settlement_lines (psp, line_id, day, kind, subject_id, capture_id, currency, amount_minor, at)
     select '${psp}', 'txn_' || capture_id, '${day}', 'capture', capture_id, capture_id, currency, amount_minor,
            created_at
     from payment_attempts
     -- uuidv7() reads the clock, so that the ids of a slow insert are some seconds late.
     where payment_id >= uuid_v7_floor(${begins}) and payment_id < uuid_v7_floor(${ends} + interval '1 hour')
       and created_at >= ${begins} and created_at < ${ends}`,
  );
}

/** Runs statements in one transaction on a separate connection, without a timeout. */
export function queryOf(databaseUrl: string): Query {
  return async (text, values = []) => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const result = await client.query(text, values.length === 0 ? undefined : values);
      return result.rows ?? [];
    } finally {
      await client.end();
    }
  };
}
