import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type pg from 'pg';
import { type Outsider, startOutsider } from '../../../server/test/world.ts';

/** Sandbox services whose records match the shop's tables. */
export interface MatchingSandbox {
  stripe: Outsider;
  game: Outsider;
  close(): Promise<void>;
}

/**
 * Written directly into the database files of the sandbox, because a million payments would take
 * hours.
 */
export async function openMatchingSandbox(admin: pg.Client): Promise<MatchingSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'books-world-'));
  const start = (service: 'stripe' | 'game') =>
    startOutsider(service, {
      STRIPE_SECRET_KEY: 'sk_test',
      STRIPE_WEBHOOK_SECRET: 'whsec_test',
      GAME_SECRETS: 'a-secret-of-the-game',
      DATA_FILE: join(folder, `${service}.sqlite`),
    });
  for (const service of ['stripe', 'game'] as const) {
    // The service creates its tables when it starts.
    await (await start(service)).stop();
    await fill(admin, join(folder, `${service}.sqlite`), records[service]);
  }
  const stripe = await start('stripe');
  const game = await start('game');
  const close = async () => {
    await Promise.all([stripe.stop(), game.stop()]);
    rmSync(folder, { recursive: true });
  };
  return { stripe, game, close };
}

type Row = Record<string, SQLInputValue>;

interface Records {
  table: string;
  /** The source query with one row for each record. */
  from: string;
  record(row: Row): Row;
}

const records: Record<'stripe' | 'game', Records[]> = {
  stripe: [
    {
      table: 'charges',
      from: `
        select origin_id as payment_id, substr(posting, 10) as payment_intent, amount_minor::int as amount,
               lower(unit) as currency, extract(epoch from created_at)::int as created
        from ledger_transfers where posting like 'captured:%'`,
      record: (row) => ({
        ...row,
        id: `ch_${String(row.payment_intent).slice(3)}`,
        metadata: '{}',
      }),
    },
    {
      table: 'refunds',
      from: `
        select distinct on (fact ->> 'refundId') payment_id, fact ->> 'refundId' as id,
               fact ->> 'captureId' as payment_intent, (fact ->> 'amountMinor')::int as amount,
               lower(fact ->> 'currency') as currency,
               case fact ->> 'outcome' when 'done' then 'succeeded' else 'failed' end as status,
               extract(epoch from at)::int as created
        from order_events where fact ->> 'type' = 'refund_settled' and fact ->> 'currency' <> 'EPOINT'
        order by fact ->> 'refundId', seq desc`,
      record: (row) => {
        const { id, payment_intent } = row;
        return {
          ...row,
          id: String(id).startsWith('re_') ? known(id) : `re_${id}`,
          metadata: JSON.stringify(String(id).startsWith('re_') ? {} : { refundId: id }),
          charge: `ch_${String(payment_intent).slice(3)}`,
        };
      },
    },
    {
      table: 'disputes',
      from: `
        select distinct on (fact ->> 'disputeId') payment_id, fact ->> 'disputeId' as id,
               fact ->> 'captureId' as payment_intent, (fact ->> 'amountMinor')::int as amount,
               lower(fact ->> 'currency') as currency, extract(epoch from at)::int as created,
               case fact ->> 'stage' when 'open' then 'needs_response' when 'lost' then 'lost'
                 else 'won' end as status
        from order_events where fact ->> 'type' = 'disputed'
        order by fact ->> 'disputeId', seq desc`,
      record: (row) => ({
        ...row,
        charge: `ch_${String(row.payment_intent).slice(3)}`,
        reason: 'fraudulent',
      }),
    },
    {
      table: 'webhook_deliveries',
      from: `
        select event_id, to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from provider_inbox order by received_at`,
      record: (row) => ({
        ...row,
        type: 'charge.succeeded',
        copy: 1,
        attempt: 1,
        outcome: 'delivered',
        status: 200,
        signature: 'copied',
      }),
    },
  ],
  game: [
    {
      table: 'given',
      from: `
        select payment_id, game_id, server_id, role_id, game_account_id, snapshot ->> 'sku' as sku,
               (((snapshot ->> 'quantity')::int + (snapshot ->> 'giftQuantity')::int) * pack_count)
                 as quantity, to_char(arrived_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from orders where kind = 'item' and arrived_at is not null`,
      record: (row) => ({ ...row, times: 1 }),
    },
    {
      table: 'revocations',
      from: `
        select payment_id, case result when 'not_found' then 'not_found' else 'revoked' end as result,
               to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
        from revocations where state = 'answered'`,
      record: (row) => ({ ...row, reason: 'refund', times: 1 }),
    },
  ],
};

function known(value: SQLInputValue | undefined): SQLInputValue {
  if (value === undefined) throw new Error('a column is missing');
  return value;
}

async function fill(admin: pg.Client, file: string, kinds: readonly Records[]): Promise<void> {
  const sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    for (const { table, from, record } of kinds) {
      sqlite.exec('begin');
      for await (const row of rowsOf(admin, from)) {
        const values = record(row);
        const columns = Object.keys(values);
        const marks = columns.map(() => '?').join(', ');
        const sql = `insert into ${table} (${columns.join(', ')}) values (${marks})`;
        insertOf(sqlite, sql).run(...Object.values(values));
      }
      sqlite.exec('commit');
    }
  } finally {
    statements.delete(sqlite);
    sqlite.close();
  }
}

const statements = new Map<DatabaseSync, Map<string, ReturnType<DatabaseSync['prepare']>>>();

function insertOf(sqlite: DatabaseSync, sql: string) {
  const known = statements.get(sqlite) ?? new Map();
  statements.set(sqlite, known);
  const statement = known.get(sql) ?? sqlite.prepare(sql);
  known.set(sql, statement);
  return statement;
}

const rowsAtOnce = 20_000;

async function* rowsOf(admin: pg.Client, sql: string): AsyncGenerator<Row> {
  await admin.query('begin');
  await admin.query(`declare found no scroll cursor for ${sql}`);
  for (;;) {
    const { rows } = await admin.query<Row>(`fetch ${rowsAtOnce} from found`);
    yield* rows;
    if (rows.length < rowsAtOnce) break;
  }
  await admin.query('commit');
}
