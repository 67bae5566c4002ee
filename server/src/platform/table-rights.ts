// The privileges on each table. `migrate` grants them after every migration, see grants.ts. Tables
// that are not listed can be read by the owner only. Operator commands and migrations run as the
// owner.

/** add: insert. change: insert, update and select for update. all: also delete. */
type Writes = 'nothing' | 'add' | 'change' | 'all';

interface TableRights {
  api: Writes;
  worker: Writes;
  /** Sign-in data and personal data, which neither auditors nor readers may read. */
  isPrivate?: true;
}

/** Written by operators only. */
const byOperators: TableRights = { api: 'nothing', worker: 'nothing' };
/** Order data that both the api and the worker change. */
const byBoth: TableRights = { api: 'change', worker: 'change' };
/** Rows that are inserted and never changed. */
const addedByBoth: TableRights = { api: 'add', worker: 'add' };
/** Written by the api; expired rows are deleted by the worker. */
const signIn: TableRights = { api: 'all', worker: 'all', isPrivate: true };

export const tableRights: Readonly<Record<string, TableRights>> = {
  account_addresses: { api: 'change', worker: 'all', isPrivate: true },
  account_changes: { api: 'add', worker: 'add', isPrivate: true },
  account_notices: signIn,
  accounts: { api: 'change', worker: 'change', isPrivate: true },
  'analytics.events': { api: 'add', worker: 'nothing' },
  'analytics.events_default': { api: 'nothing', worker: 'all' },
  'analytics.funnel_days': { api: 'nothing', worker: 'change' },
  'analytics.quarantine': { api: 'add', worker: 'nothing' },
  'analytics.quarantine_default': { api: 'nothing', worker: 'all' },
  archives: byOperators,
  arrival_tickets: signIn,
  audits: byOperators,
  budgets: { api: 'change', worker: 'all' },
  bulletin_sites: byOperators,
  bulletins: byOperators,
  cases: byBoth,
  character_choices: { api: 'change', worker: 'all' },
  codes: signIn,
  content_versions: byOperators,
  contract_changes: byOperators,
  coupon_issues: byOperators,
  coupon_templates: byOperators,
  coupon_uses: byBoth,
  coupons: byBoth,
  deferrals: addedByBoth,
  deliveries: byBoth,
  former_game_accounts: { api: 'nothing', worker: 'all' },
  game_accounts: { api: 'change', worker: 'all' },
  game_servers: byOperators,
  games: byOperators,
  gift_claims: byBoth,
  gift_rule_accounts: byOperators,
  gift_rules: byOperators,
  house_transfers: { api: 'nothing', worker: 'add' },
  // The worker erases accounts, and owners unlink addresses, so both delete.
  identities: signIn,
  installation: byOperators,
  item_groups: byOperators,
  item_prices: byOperators,
  items: byOperators,
  known_devices: signIn,
  known_networks: signIn,
  ledger_transfers: addedByBoth,
  limit_counters: { api: 'all', worker: 'all' },
  method_switches: byOperators,
  operator_entries: { ...byOperators, isPrivate: true },
  order_events: addedByBoth,
  order_keys: { api: 'add', worker: 'nothing' },
  orders: byBoth,
  page_versions: byOperators,
  passkey_challenges: signIn,
  passkey_reviews: signIn,
  passkeys: { api: 'all', worker: 'all', isPrivate: true },
  payment_attempts: byBoth,
  people: { api: 'change', worker: 'all', isPrivate: true },
  person_audits: { api: 'add', worker: 'add', isPrivate: true },
  person_keys: { api: 'all', worker: 'all', isPrivate: true },
  player_import_refusals: { api: 'nothing', worker: 'all' },
  player_imports: byOperators,
  point_draws: addedByBoth,
  point_entries: addedByBoth,
  point_gifts: addedByBoth,
  point_lots: byBoth,
  point_pack_prices: byOperators,
  point_packs: byOperators,
  price_rules: byOperators,
  provider_inbox: { api: 'change', worker: 'all' },
  purchase_counters: byBoth,
  purchase_holds: byBoth,
  rebate_campaigns: byOperators,
  rebate_counts: addedByBoth,
  rebate_credit_steps: addedByBoth,
  rebate_credits: addedByBoth,
  rebate_tiers: byOperators,
  recovery_codes: signIn,
  redeem_batches: byOperators,
  redeem_codes: { api: 'change', worker: 'nothing' },
  redemptions: { api: 'add', worker: 'nothing' },
  refunds: byBoth,
  revocations: byBoth,
  schema_migration_steps: byOperators,
  schema_migrations: byOperators,
  // Sealed; api and worker open them with MASTER_KEYS.
  secrets: { ...byOperators, isPrivate: true },
  server_states: { api: 'change', worker: 'nothing' },
  server_status_changes: { api: 'add', worker: 'nothing' },
  session_open_ids: signIn,
  sessions: signIn,
  settlement_days: { api: 'nothing', worker: 'change' },
  settlement_lines: { api: 'nothing', worker: 'add' },
  sign_in_handoffs: signIn,
  sign_ins_elsewhere: signIn,
  site_games: byOperators,
  site_hosts: byOperators,
  sites: byOperators,
  top_up_steps: addedByBoth,
  used_arrivals: signIn,
  used_envelopes: signIn,
  used_proofs: signIn,
  wallets: byBoth,
};

export const groups = {
  api: 'pointgate_api',
  worker: 'pointgate_worker',
  auditor: 'pointgate_auditor',
  reader: 'pointgate_reader',
} as const;

export type Group = (typeof groups)[keyof typeof groups];

const privileges: Record<Writes, readonly string[]> = {
  nothing: ['SELECT'],
  add: ['SELECT', 'INSERT'],
  change: ['SELECT', 'INSERT', 'UPDATE'],
  all: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
};

/** The privileges of each group on a table. */
export function privilegesOn(table: string): Record<Group, readonly string[]> {
  const rights = tableRights[table];
  const read = rights === undefined || rights.isPrivate ? [] : ['SELECT'];
  return {
    [groups.api]: rights === undefined ? [] : privileges[rights.api],
    [groups.worker]: rights === undefined ? [] : privileges[rights.worker],
    [groups.auditor]: read,
    [groups.reader]: read,
  };
}
