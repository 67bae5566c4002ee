/**
 * What each invariant claims, and the tables whose rows are counted as checked for it. Without
 * tables, it compares with external parties.
 */
export const claims: readonly { id: string; claim: string; tables: readonly string[] }[] = [
  {
    id: 'I1',
    claim:
      'every transfer follows from what happened to an order, or from a statement of points, and ' +
      'every gift of points from its reason',
    tables: ['ledger_transfers'],
  },
  {
    id: 'I2',
    claim:
      'deposits are what is paid and neither delivered nor gone; wallets their entries and lots',
    tables: ['orders', 'wallets'],
  },
  {
    id: 'I3',
    claim: 'every capture, refund and dispute at the provider is one in our books, and back',
    tables: [],
  },
  {
    id: 'I4',
    claim: 'what is paid arrives once, is refunded, or waits within its promise or with a case',
    tables: ['deliveries'],
  },
  {
    id: 'I5',
    claim: 'no order was delivered before its money was there',
    tables: ['deliveries'],
  },
  {
    id: 'I6',
    claim: 'the game gave each order what it bought, to whom it was for, once, and took it back',
    tables: [],
  },
  {
    id: 'I7',
    claim: 'what was captured is the price or under review, and no more goes back than came',
    tables: ['payment_attempts'],
  },
  {
    id: 'I8',
    claim: 'every history is an unbroken path of legal moves, and all that is kept agrees with it',
    tables: ['order_events'],
  },
  { id: 'I9', claim: 'what was acknowledged stays true', tables: [] },
  {
    id: 'I10',
    claim: 'every order has one intent, and every intent one order',
    tables: ['order_keys'],
  },
  {
    id: 'I11',
    claim: 'nothing lies in the inbox or the job queue for more than two minutes',
    tables: ['provider_inbox', 'pgboss.job'],
  },
  {
    id: 'I12',
    claim: "the chain of every player's statement of points is unbroken",
    tables: ['point_entries'],
  },
  {
    id: 'I13',
    claim: 'points were spent in their turn, and went back where they came from',
    tables: ['point_draws'],
  },
  {
    id: 'I14',
    claim: "the provider's daily books and ours agree, or an operator was told",
    tables: ['settlement_lines'],
  },
  {
    id: 'I15',
    claim: "fees, payouts and the like are the lines of the provider's files, one to one",
    tables: ['house_transfers'],
  },
  {
    id: 'I16',
    claim: 'what is deferred of each top-up is what its unused points cost',
    tables: ['deferrals'],
  },
];
