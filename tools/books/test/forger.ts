import type { FurnishedShop } from './furnished-shop.ts';
import { only } from './stories.ts';

/** Changes tables behind the back of their triggers, and puts them back. */
export interface Forger {
  /** A name in braces is the payment id of an order of that story. */
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
  ...['point_draws', 'top_up_steps', 'settlement_lines', 'pgboss.job'],
];

/** Keeps a copy of every table. What a forgery drops of a table's rules stays dropped. */
export async function openForger({ admin, stories }: FurnishedShop): Promise<Forger> {
  await admin.query('set session_replication_role = replica');
  const keptOf = (table: string) => `kept.${table.replace('.', '_')}`;
  await admin.query('create schema kept');
  for (const table of tables) await admin.query(`create table ${keptOf(table)} as table ${table}`);
  let forged: string[] = [];
  return {
    forge: async (statement) => {
      const named = statement.replace(/\{(\w+)\}/g, (braced, story) =>
        stories[story] === undefined ? braced : `'${only(stories[story]).paymentId}'`,
      );
      forged = tables.filter((table) => statement.includes(table));
      await admin.query(named);
    },
    undo: async () => {
      for (const table of forged) {
        await admin.query(`delete from ${table}; insert into ${table} table ${keptOf(table)}`);
      }
    },
  };
}
