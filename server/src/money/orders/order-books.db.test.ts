import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  asked,
  captured,
  closed,
  delivered,
  disputed,
  elsewhere,
  expired,
  first,
  opened,
  recordableOrder,
  resumed,
  second,
  settled,
  stuck,
} from '../../../test/facts.ts';
import {
  booksOf,
  brokenLinks,
  givenPlacedOrder,
  nothingFollows,
  type OrderKey,
  recordsOf,
} from '../../../test/orders.ts';
import type { Db } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';
import { type Fact, factsOf } from './order-fact.ts';
import { orderEvents, recordFacts } from './orders.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  db = database.open(8);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const paid = [opened(first), captured(first)];
const whole = asked(1);
const part = asked(2, { amountMinor: 200n });

const record = (key: OrderKey, facts: readonly Fact[]) =>
  db.transaction((tx) => recordFacts(tx, nothingFollows, key, facts));

/** The ledger balances of an order: at providers, as deposit, as sales, and held in disputes. */
async function holdings(key: OrderKey, currency = 'USD') {
  const books = await booksOf(db, key);
  const of = (book: string) => books[`${book} ${currency}`] ?? 0n;
  return {
    atProviders: -of('house:psp'),
    deposit: of('player:deposit'),
    sales: of('house:sales'),
    heldByBanks: -of('house:disputed'),
  };
}
const nothing = { atProviders: 0n, deposit: 0n, sales: 0n, heldByBanks: 0n };

async function booksAfter(...told: Fact[][]) {
  const { key } = await givenPlacedOrder(db);
  for (const facts of told) await record(key, facts);
  return await holdings(key);
}

describe('ledger balances of an order', () => {
  test.each<[string, Fact[][], Partial<typeof nothing>]>([
    ['the ledger holds nothing for an unpaid order', [[opened(first)], [expired]], {}],
    [
      'the ledger holds a captured payment as a deposit',
      [paid],
      { atProviders: 499n, deposit: 499n },
    ],
    [
      'the ledger holds a sale once the order is delivered',
      [paid, [delivered]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'the ledger holds one sale for an order delivered twice',
      [paid, [delivered], [delivered], [expired]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'the ledger holds no sale for an order delivered without payment',
      [[opened(first)], [delivered]],
      {},
    ],
    [
      'the ledger keeps the sale while a refund is pending',
      [paid, [delivered], [whole]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'the ledger holds nothing after a refund of an undelivered order',
      [paid, [whole], [settled(whole, 'done')]],
      {},
    ],
    [
      'the ledger holds nothing after a refund of a delivered order',
      [[...paid, delivered], [whole], [settled(whole, 'done')]],
      {},
    ],
    [
      'the ledger keeps the sale after a failed refund',
      [[...paid, delivered], [whole], [settled(whole, 'failed')]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'the ledger reduces the sale by a partial refund',
      [[...paid, delivered], [part], [settled(part, 'done')]],
      { atProviders: 299n, sales: 299n },
    ],
    [
      'the ledger records a sale reduced by a partial refund made before delivery',
      [paid, [elsewhere({ amountMinor: 99n })], [delivered]],
      { atProviders: 400n, sales: 400n },
    ],
    [
      'the ledger holds money as disputed while a dispute is open',
      [[...paid, delivered], [disputed('open')]],
      { heldByBanks: 499n, sales: 499n },
    ],
    [
      'the ledger moves no money for a dispute warning',
      [paid, [disputed('warning')]],
      { atProviders: 499n, deposit: 499n },
    ],
    [
      'the ledger restores the sale and the money when a dispute is won',
      [[...paid, delivered], [disputed('open')], [disputed('won')]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'the ledger holds nothing after a lost dispute',
      [[...paid, delivered], [disputed('open')], [disputed('lost')]],
      {},
    ],
    [
      'the ledger holds nothing when a dispute is reported only as lost',
      [[...paid, delivered, disputed('lost')]],
      {},
    ],
    [
      'the ledger restores the sale and the money when a lost dispute is reinstated',
      [[...paid, delivered], [disputed('lost')], [disputed('reinstated')]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'the ledger follows a disputed amount that changes',
      [
        [...paid, delivered],
        [disputed('open', { amountMinor: 100n })],
        [disputed('open', { amountMinor: 300n })],
      ],
      { atProviders: 199n, heldByBanks: 300n, sales: 499n },
    ],
    [
      'the ledger loses only the lost amount of a dispute that held more',
      [[...paid, delivered], [disputed('open')], [disputed('lost', { amountMinor: 100n })]],
      { atProviders: 399n, sales: 399n },
    ],
    [
      'the ledger shows money lost after a refund as a negative deposit',
      [[...paid, delivered], [elsewhere()], [disputed('lost')]],
      { atProviders: -499n, deposit: -499n },
    ],
    [
      'the ledger holds a second payment as a deposit',
      [
        [...paid, delivered],
        [opened(second), captured(second)],
      ],
      { atProviders: 998n, deposit: 499n, sales: 499n },
    ],
    [
      'the ledger holds an underpayment as a deposit',
      [[opened(first), captured(first, { amountMinor: 200n })], [delivered]],
      { atProviders: 200n, deposit: 200n },
    ],
  ])(
    'the ledger balances of an order result from its recorded payments, refunds, disputes and delivery: %s',
    async (_what, told, held) => {
      const expected = { ...nothing, ...held };
      expect(await booksAfter(...told)).toEqual(expected);
      // Recording all facts in one call gives the same balances as recording them one by one.
      expect(await booksAfter(told.flat())).toEqual(expected);
    },
  );

  test('the ledger keeps a separate balance for each currency', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first), captured(first, { currency: 'KRW' })]);
    expect(await holdings(key, 'KRW')).toEqual({ ...nothing, atProviders: 499n, deposit: 499n });
    expect(await holdings(key)).toEqual(nothing);
    await record(key, [elsewhere({ currency: 'KRW', amountMinor: 99n })]);
    expect(await holdings(key, 'KRW')).toEqual({ ...nothing, atProviders: 400n, deposit: 400n });
  });

  test.each([
    ['200, then 499', [200n, 499n]],
    ['499, then 200', [499n, 200n]],
    ['200, then 300, then 499', [200n, 300n, 499n]],
  ])(
    'a capture that the provider reports with the amounts %s is posted to the ledger once, with the largest amount',
    async (_what, amounts) => {
      const { key } = await givenPlacedOrder(db);
      await record(key, [opened(first)]);
      for (const amountMinor of amounts) await record(key, [captured(first, { amountMinor })]);
      await record(key, [delivered]);
      expect(await holdings(key)).toEqual({ ...nothing, atProviders: 499n, sales: 499n });
    },
  );

  test('the ledger holds a payment in both currencies when the payment provider reports the same capture in two currencies', async () => {
    for (const currencies of [
      ['EUR', 'USD'],
      ['USD', 'EUR'],
    ] as const) {
      const [one, other] = currencies.map((currency) => captured(first, { currency }));
      if (one === undefined || other === undefined) throw new Error('expected two captures');
      for (const told of [[[one, other]], [[one], [other]]]) {
        const { key } = await givenPlacedOrder(db);
        await record(key, [opened(first)]);
        for (const facts of told) await record(key, facts);
        for (const currency of currencies) {
          expect((await holdings(key, currency)).deposit).toBe(499n);
        }
      }
    }
  });

  test('ledger balances are the same for contradictory provider reports of a refund or dispute, in any sequence', async () => {
    const euros = { amountMinor: 300n, currency: 'EUR' } as const;
    const told = [
      elsewhere({ amountMinor: 100n }),
      elsewhere({ amountMinor: 200n }),
      disputed('open', { amountMinor: 150n }),
      disputed('open', euros),
    ];
    for (const facts of [told, told.toReversed()]) {
      const { key } = await givenPlacedOrder(db);
      await record(key, [...paid, delivered]);
      for (const fact of facts) await record(key, [fact]);
      expect(await holdings(key)).toEqual({ ...nothing, atProviders: 299n, sales: 299n });
      expect(await holdings(key, 'EUR')).toEqual({
        ...nothing,
        atProviders: -300n,
        heldByBanks: 300n,
      });
    }
  });

  test('each ledger posting is named after the capture, refund, dispute or sale that it books, for comparison with settlement files', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, paid);
    await record(key, [delivered]);
    await record(key, [disputed('open')]);
    await record(key, [disputed('won')]);
    await record(key, [whole]);
    await record(key, [settled(whole, 'done')]);
    const { transfers } = await recordsOf(db, key);
    expect(
      transfers.map(({ posting, debit_book, credit_book }) => [posting, debit_book, credit_book]),
    ).toEqual([
      ['captured:pi_1', 'house:psp', 'player:deposit'],
      ['sale:3', 'player:deposit', 'house:sales'],
      ['dispute:dp_1:4:held', 'house:disputed', 'house:psp'],
      ['dispute:dp_1:5:held', 'house:psp', 'house:disputed'],
      [`refund:${whole.refundId}`, 'player:deposit', 'house:psp'],
      ['sale:7', 'house:sales', 'player:deposit'],
    ]);
  });

  test('ledger postings of one capture have distinct names when the provider later reports a larger amount or a second currency for it', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first), captured(first, { amountMinor: 200n })]);
    await record(key, [
      captured(first, { amountMinor: 300n }),
      captured(first, { currency: 'EUR' }),
    ]);
    const { transfers } = await recordsOf(db, key);
    expect(transfers.map(({ posting, amount_minor }) => [posting, amount_minor])).toEqual([
      ['captured:pi_1', 200n],
      [`captured:pi_1:${first}:EUR:499`, 499n],
      [`captured:pi_1:${first}:USD:300`, 100n],
    ]);
  });
});

describe('ledger balances with facts in random order', () => {
  const dp2 = { disputeId: 'dp_2', captureId: 'pi_2' };
  const stories: [string, Fact[], string, Partial<typeof nothing>][] = [
    [
      'a payment after expiry',
      [...paid, closed(first), expired, stuck(), resumed(), delivered],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
    [
      'a refund',
      [...paid, closed(first), delivered, whole, settled(whole, 'done')],
      'refunded',
      {},
    ],
    [
      'a failed refund',
      [...paid, stuck(), delivered, whole, settled(whole, 'failed')],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
    [
      'a refund that failed and was later done',
      [...paid, delivered, whole, settled(whole, 'failed'), settled(whole, 'done')],
      'refunded',
      {},
    ],
    [
      'partial refunds',
      [...paid, delivered, part, settled(part, 'done'), elsewhere({ amountMinor: 99n }), expired],
      'arrived',
      { atProviders: 200n, sales: 200n },
    ],
    [
      'partial refunds of the whole price',
      [...paid, delivered, part, settled(part, 'done'), elsewhere({ amountMinor: 299n })],
      'refunded',
      {},
    ],
    [
      'an open dispute',
      [...paid, delivered, disputed('warning'), disputed('open'), expired],
      'arrived',
      { heldByBanks: 499n, sales: 499n },
    ],
    [
      'a won dispute',
      [...paid, delivered, disputed('open'), disputed('won'), expired],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
    [
      'a lost dispute',
      [...paid, delivered, disputed('open'), disputed('lost'), expired],
      'refunded',
      {},
    ],
    [
      'a partly lost dispute',
      [...paid, delivered, disputed('open'), disputed('lost', { amountMinor: 100n })],
      'arrived',
      { atProviders: 399n, sales: 399n },
    ],
    [
      'a reinstated dispute',
      [...paid, delivered, disputed('open'), disputed('lost'), disputed('reinstated')],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
    [
      'a second payment',
      [...paid, closed(first), opened(second), captured(second), delivered],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
    [
      'a second payment when both payments are lost to disputes',
      [
        ...paid,
        closed(first),
        opened(second),
        captured(second),
        delivered,
        disputed('lost'),
        disputed('lost', dp2),
      ],
      'refunded',
      {},
    ],
    [
      'a second payment when one payment is lost to a dispute',
      [
        ...paid,
        closed(first),
        opened(second),
        captured(second),
        delivered,
        disputed('open'),
        disputed('lost'),
      ],
      'one of them',
      {},
    ],
    [
      'a refunded underpayment',
      [
        opened(first),
        captured(first, { amountMinor: 200n }),
        asked(3, { amountMinor: 200n, reason: 'misfit' }),
        settled(asked(3, { amountMinor: 200n, reason: 'misfit' }), 'done'),
        closed(first),
      ],
      'created',
      {},
    ],
    [
      'a capture reported with two amounts',
      [opened(first), captured(first, { amountMinor: 200n }), captured(first), delivered, expired],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
  ];
  const runsPerStory = 20;

  test.each(stories)(
    'the ledger balances of an order do not depend on the sequence in which its payment events are recorded: %s',
    async (_what, facts, state, held) => {
      const ends = await Promise.all(
        Array.from({ length: runsPerStory }, () => recordRandomly(facts)),
      );
      for (const { told, records, books } of ends) {
        expect({ told, links: brokenLinks(records) }).toEqual({ told, links: [] });
        // The dispute may be about the payment being refunded or about the other one; both are valid.
        const isKept = records.order.state === 'arrived';
        const either = isKept ? { atProviders: 499n, sales: 499n } : {};
        const expected = { ...nothing, ...(state === 'one of them' ? either : held) };
        expect({ told, books }).toEqual({ told, books: expected });
        if (state !== 'one of them') expect(records.order.state).toBe(state);
      }
    },
  );

  test('the random-order test of the order ledger replays more than three hundred order histories', () => {
    expect(stories.length * runsPerStory).toBeGreaterThan(300);
  });

  /** Records the facts in random order, some in pairs, and then settles every open refund. */
  async function recordRandomly(facts: readonly Fact[]) {
    const { key } = await givenPlacedOrder(db);
    const told = recordableOrder(facts, Math.random);
    for (let rest = told; rest.length > 0; ) {
      const count = Math.random() < 0.3 ? 2 : 1;
      await record(key, rest.slice(0, count));
      rest = rest.slice(count);
    }
    const known = (await orderEvents(db, key)).map(({ fact }) => fact);
    const done = new Set(factsOf(known, 'refund_settled').map(({ refundId }) => refundId));
    const open = factsOf(known, 'refund_requested').filter(({ refundId }) => !done.has(refundId));
    // A provider does not refund a capture that was lost to a dispute.
    const lost = factsOf(known, 'disputed').filter(({ stage }) => stage === 'lost');
    const isTaken = (id: string) => lost.some(({ captureId }) => captureId === id);
    await record(
      key,
      open.map((refund) => settled(refund, isTaken(refund.captureId) ? 'failed' : 'done')),
    );
    const records = await recordsOf(db, key);
    return { told, records, books: await holdings(key) };
  }
});
