import type { PreparedShop } from './prepared-shop.ts';
import { firstOrder } from './scenarios.ts';
import { addRules, dropRules, keyOfFact } from './table-rules.ts';

/** Changes tables past their triggers, and restores them. */
export interface Forger {
  /** A name in braces stands for the payment id of an order of that scenario. */
  forge(statement: string): Promise<void>;
  undo(): Promise<void>;
}

const tables = [
  ...['orders', 'order_events', 'order_keys', 'ledger_transfers', 'payment_attempts', 'deliveries'],
  ...[
    'refunds',
    'revocations',
    'cases',
    'provider_inbox',
    'wallets',
    'point_entries',
    'point_lots',
  ],
  ...['point_draws', 'top_up_steps', 'settlement_lines', 'pgboss.job', 'point_gifts'],
  ...['house_transfers', 'deferrals'],
  ...['rebate_counts', 'rebate_credits', 'rebate_credit_steps', 'redemptions'],
];

/** Recomputes the keys of changed facts, unless another event has that key. */
const keysAgain = `update order_events set fact_key = key from (
    select account_id, payment_id, seq, ${keyOfFact} as key from order_events
  ) as again
  where order_events.account_id = again.account_id and order_events.payment_id = again.payment_id
    and order_events.seq = again.seq and fact_key <> key`;

/** Copies every table first. */
export async function openForger({ admin, scenarios }: PreparedShop): Promise<Forger> {
  await admin.query('set session_replication_role = replica');
  const keptOf = (table: string) => `kept.${table.replace('.', '_')}`;
  await admin.query('create schema kept');
  const columns = new Map<string, string>();
  for (const table of tables) {
    await admin.query(`create table ${keptOf(table)} as table ${table}`);
    columns.set(table, await columnsOf(admin, table));
  }
  let forged: string[] = [];
  return {
    forge: async (statement) => {
      const named = statement.replace(/\{(\w+)\}/g, (braced, scenario) =>
        scenarios[scenario] === undefined
          ? braced
          : `'${firstOrder(scenarios[scenario]).paymentId}'`,
      );
      forged = tables.filter((table) => statement.includes(table));
      await dropRules(admin, forged);
      await admin.query(named);
      if (forged.includes('order_events')) await admin.query(keysAgain).catch(() => {});
      await addRules(admin, forged);
    },
    undo: async () => {
      for (const table of forged) {
        const list = columns.get(table);
        await admin.query(`delete from ${table};
          insert into ${table} (${list}) select ${list} from ${keptOf(table)}`);
      }
      await dropRules(admin, forged);
      await addRules(admin, forged);
    },
  };
}

/** The columns that can be written, without generated ones. */
async function columnsOf(admin: PreparedShop['admin'], table: string): Promise<string> {
  const { rows } = await admin.query<{ list: string }>(
    `select string_agg(quote_ident(attname), ', ') as list from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.list ?? '';
}
