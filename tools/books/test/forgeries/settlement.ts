import type { Forgery } from './forgery.ts';

/** Moves all transfers three days back, to a day that is completely settled. */
const longAgo = `update ledger_transfers set created_at = created_at - interval '3 days';`;

export const settlements: readonly Forgery[] = [
  [
    'a capture line of the settlement has another amount than the ledger',
    `update settlement_lines set amount_minor = amount_minor + 1 where kind = 'capture'`,
    /^I14 order \S+: the provider's books say 500 USD of capture, ours 499/,
  ],
  [
    'a refund line of the settlement has another amount than the ledger',
    `update settlement_lines set amount_minor = amount_minor - 1 where kind = 'refund'`,
    /^I14 order \S+: the provider's books say -500 USD of refund, ours -499/,
  ],
  [
    'two settlement lines are a cent too large and a cent too small',
    `update settlement_lines set amount_minor = amount_minor + case line_id
       when (select min(line_id) from settlement_lines where kind = 'capture') then 1
       when (select max(line_id) from settlement_lines where kind = 'capture') then -1 else 0 end`,
    /^I14 order \S+: the provider's books say \d+ USD of capture, ours \d+/,
  ],
  [
    'a settlement line has a payment that the shop does not know',
    `insert into settlement_lines select psp, 'txn_forged', day, kind, 'pi_forged', 'pi_forged', currency,
       amount_minor, at from settlement_lines where kind = 'capture' limit 1`,
    /^I14 the provider's books have \d+ USD of pi_forged, which is not ours/,
  ],
  [
    'a capture has no settlement line',
    `${longAgo} delete from settlement_lines where kind = 'capture'`,
    /^I14 order \S+: the provider's books say 0 USD of capture, ours 499/,
  ],
];
