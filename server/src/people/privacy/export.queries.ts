import { z } from 'zod';
import { type Db, type Sql, sql } from '../../platform/db.ts';

const Row = z.record(z.string(), z.unknown());
const Exported = z.object({ row: Row });

/** The rows of an account in each table, without hashes, keys and the account id. */
const rowsOf: Readonly<Record<string, (accountId: string) => Sql>> = {
  accounts: (id) => sql`select to_jsonb(own) as row from accounts own where id = ${id}`,
  account_changes: (id) => sql`
    select to_jsonb(own) - 'account_id' - 'id' - 'by' as row from account_changes own
    where account_id = ${id} order by at`,
  identities: (id) => sql`
    select jsonb_build_object('account_type', account_type) as row from identities
    where account_id = ${id} order by account_type`,
  account_addresses: (id) => sql`
    select jsonb_build_object('account_type', account_type, 'locale', locale, 'created_at', created_at,
                              'linked_at', linked_at, 'left_at', left_at) as row
    from account_addresses where account_id = ${id} order by created_at`,
  account_notices: (id) => sql`
    select jsonb_build_object('event', event, 'site_id', site_id, 'created_at', created_at,
                              'used_at', used_at) as row
    from account_notices where account_id = ${id} order by created_at`,
  recovery_codes: (id) => sql`
    select jsonb_build_object('made_at', made_at, 'used_at', used_at) as row
    from recovery_codes where account_id = ${id} order by made_at, code_hash`,
  game_accounts: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from game_accounts own
    where account_id = ${id} order by bound_at`,
  former_game_accounts: (id) => sql`
    select jsonb_build_object('game_id', game_id, 'game_account_id', game_account_id,
                              'bound_at', bound_at, 'released_at', released_at) as row
    from former_game_accounts where account_id = ${id} order by released_at`,
  character_choices: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from character_choices own
    where account_id = ${id} order by chosen_at`,
  passkeys: (id) => sql`
    select jsonb_build_object('site_id', site_id, 'name', name, 'created_at', created_at,
                              'last_used_at', last_used_at) as row
    from passkeys where account_id = ${id} order by created_at`,
  sessions: (id) => sql`
    select to_jsonb(own) - 'account_id' - 'token_hash' as row from sessions own
    where account_id = ${id} order by created_at`,
  session_open_ids: (id) => sql`
    select to_jsonb(own) - 'account_id' - 'token_hash' as row from session_open_ids own
    where account_id = ${id} order by bound_at`,
  known_networks: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from known_networks own
    where account_id = ${id} order by last_at`,
  person_audits: (id) => sql`
    select jsonb_build_object('action', action, 'at', at) as row from person_audits
    where account_id = ${id} order by at`,
  budgets: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from budgets own
    where account_id = ${id} order by currency`,
  wallets: (id) => sql`
    select jsonb_build_object('basic', basic, 'present', present) as row from wallets
    where account_id = ${id}`,
  point_lots: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from point_lots own
    where account_id = ${id} order by created_at`,
  point_gifts: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from point_gifts own
    where account_id = ${id} order by at`,
  purchase_counters: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from purchase_counters own
    where account_id = ${id} order by goods`,
  gift_claims: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from gift_claims own
    where account_id = ${id} order by claimed_at`,
  rebate_credits: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from rebate_credits own
    where account_id = ${id} order by earned_at`,
  coupons: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from coupons own
    where account_id = ${id} order by issued_at`,
  coupon_uses: (id) => sql`
    select to_jsonb(own) - 'account_id' as row from coupon_uses own
    where account_id = ${id} order by held_at`,
  redemptions: (id) => sql`
    select to_jsonb(own) - 'account_id' - 'code_hash' as row from redemptions own
    where account_id = ${id} order by at`,
  cases: (id) => sql`
    select jsonb_build_object('kind', kind, 'payment_id', payment_id, 'opened_at', opened_at,
                              'resolved_at', resolved_at) as row
    from cases where account_id = ${id} order by opened_at`,
};

/** Tables with many rows per account, read in pages by the columns of their order. */
const longRowsOf: Readonly<Record<string, (accountId: string, after: Position) => Sql>> = {
  orders: (id, { paymentId }) => sql`
    select to_jsonb(own) - 'account_id' as row, payment_id::text as after_id, 0 as after_number
    from orders own where account_id = ${id} and payment_id > ${paymentId}
    order by payment_id limit ${rowsMax}`,
  order_events: (id, { paymentId, number }) => sql`
    select jsonb_build_object('payment_id', payment_id, 'at', at, 'fact', fact,
                              'state', state_after) as row,
           payment_id::text as after_id, seq as after_number
    from order_events where account_id = ${id} and (payment_id, seq) > (${paymentId}::uuid, ${number}::int)
    order by payment_id, seq limit ${rowsMax}`,
  payment_attempts: (id, { paymentId }) => sql`
    select to_jsonb(own) - 'account_id' - 'action' as row, attempt_id::text as after_id, 0 as after_number
    from payment_attempts own where account_id = ${id} and attempt_id > ${paymentId}
    order by attempt_id limit ${rowsMax}`,
  refunds: (id, { paymentId }) => sql`
    select to_jsonb(own) - 'account_id' - 'requested_by' as row, refund_id::text as after_id, 0 as after_number
    from refunds own where account_id = ${id} and refund_id > ${paymentId}
    order by refund_id limit ${rowsMax}`,
  point_entries: (id, { number }) => sql`
    select to_jsonb(own) - 'account_id' - 'hash' - 'prev_hash' as row, origin_id::text as after_id,
           seq as after_number
    from point_entries own where account_id = ${id} and seq > ${number}
    order by seq limit ${rowsMax}`,
};

interface Position {
  paymentId: string;
  number: number;
}

const rowsMax = 1_000;
const LongRow = Exported.extend({ after_id: z.string(), after_number: z.int() });

/** All tables in order, with the rows of each in pages. */
export async function* selectEverything(
  db: Db,
  accountId: string,
): AsyncGenerator<{ table: string; rows: z.output<typeof Row>[] }> {
  for (const [table, select] of Object.entries(rowsOf)) {
    yield { table, rows: (await db.many(Exported, select(accountId))).map(({ row }) => row) };
  }
  for (const [table, select] of Object.entries(longRowsOf)) {
    let after: Position = { paymentId: '00000000-0000-0000-0000-000000000000', number: 0 };
    for (;;) {
      const found = await db.many(LongRow, select(accountId, after));
      yield { table, rows: found.map(({ row }) => row) };
      const last = found.at(-1);
      if (last === undefined || found.length < rowsMax) break;
      after = { paymentId: last.after_id, number: last.after_number };
    }
  }
}
