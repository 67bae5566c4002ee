import type { Forgery } from './forgery.ts';

/** What happened was three days ago, and that day and the next one are over. */
const longAgo = `update ledger_transfers set created_at = created_at - interval '3 days';`;

export const settlements: readonly Forgery[] = [
  [
    'the provider booked another amount',
    `update settlement_lines set amount_minor = amount_minor + 1 where kind = 'capture'`,
    /^I14 order \S+: the provider's books say 500 USD of capture, ours 499/,
  ],
  [
    'the provider sent more back than we know of',
    `update settlement_lines set amount_minor = amount_minor - 1 where kind = 'refund'`,
    /^I14 order \S+: the provider's books say -500 USD of refund, ours -499/,
  ],
  [
    'two lines change places, a cent up and a cent down',
    `update settlement_lines set amount_minor = amount_minor + case line_id
       when (select min(line_id) from settlement_lines where kind = 'capture') then 1
       when (select max(line_id) from settlement_lines where kind = 'capture') then -1 else 0 end`,
    /^I14 order \S+: the provider's books say \d+ USD of capture, ours \d+/,
  ],
  [
    'the provider took a payment that is not ours',
    `insert into settlement_lines select psp, 'txn_forged', day, kind, 'pi_forged', 'pi_forged', currency,
       amount_minor, at from settlement_lines where kind = 'capture' limit 1`,
    /^I14 the provider's books have \d+ USD of pi_forged, which is not ours/,
  ],
  [
    'the provider never booked what we did',
    `${longAgo} delete from settlement_lines where kind = 'capture'`,
    /^I14 order \S+: the provider's books say 0 USD of capture, ours 499/,
  ],
];
