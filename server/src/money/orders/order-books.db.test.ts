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

/** What the books hold of an order: at providers, of the player's, as sales, held by banks. */
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

describe('the books of an order', () => {
  test.each<[string, Fact[][], Partial<typeof nothing>]>([
    ['have nothing of an order that nobody paid', [[opened(first)], [expired]], {}],
    ['have what was paid as a deposit', [paid], { atProviders: 499n, deposit: 499n }],
    ['have a sale when it has arrived', [paid, [delivered]], { atProviders: 499n, sales: 499n }],
    [
      'have a sale once',
      [paid, [delivered], [delivered], [expired]],
      { atProviders: 499n, sales: 499n },
    ],
    ['have no sale of what was given without being paid', [[opened(first)], [delivered]], {}],
    [
      'keep the money while a refund is on its way',
      [paid, [delivered], [whole]],
      { atProviders: 499n, sales: 499n },
    ],
    ['have nothing after a refund', [paid, [whole], [settled(whole, 'done')]], {}],
    [
      'have nothing after a refund of what had arrived',
      [[...paid, delivered], [whole], [settled(whole, 'done')]],
      {},
    ],
    [
      'have everything after a refund that failed',
      [[...paid, delivered], [whole], [settled(whole, 'failed')]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'have less of the sale after a part went back',
      [[...paid, delivered], [part], [settled(part, 'done')]],
      { atProviders: 299n, sales: 299n },
    ],
    [
      'have less of the sale when it arrives after a part went back',
      [paid, [elsewhere({ amountMinor: 99n })], [delivered]],
      { atProviders: 400n, sales: 400n },
    ],
    [
      'have what a bank holds while it asks',
      [[...paid, delivered], [disputed('open')]],
      { heldByBanks: 499n, sales: 499n },
    ],
    [
      'have nothing held for a warning',
      [paid, [disputed('warning')]],
      { atProviders: 499n, deposit: 499n },
    ],
    [
      'have it all again when the dispute is won',
      [[...paid, delivered], [disputed('open')], [disputed('won')]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'have nothing when the dispute is lost',
      [[...paid, delivered], [disputed('open')], [disputed('lost')]],
      {},
    ],
    [
      'have nothing when it was lost before anybody heard of it',
      [[...paid, delivered, disputed('lost')]],
      {},
    ],
    [
      'have it all again when it is reinstated',
      [[...paid, delivered], [disputed('lost')], [disputed('reinstated')]],
      { atProviders: 499n, sales: 499n },
    ],
    [
      'hold what the bank holds, also when that changes',
      [
        [...paid, delivered],
        [disputed('open', { amountMinor: 100n })],
        [disputed('open', { amountMinor: 300n })],
      ],
      { atProviders: 199n, heldByBanks: 300n, sales: 499n },
    ],
    [
      'lose what the bank took, also when it held more',
      [[...paid, delivered], [disputed('open')], [disputed('lost', { amountMinor: 100n })]],
      { atProviders: 399n, sales: 399n },
    ],
    [
      'show what was taken twice as what the player owes',
      [[...paid, delivered], [elsewhere()], [disputed('lost')]],
      { atProviders: -499n, deposit: -499n },
    ],
    [
      'have a second payment as a deposit until it is back',
      [
        [...paid, delivered],
        [opened(second), captured(second)],
      ],
      { atProviders: 998n, deposit: 499n, sales: 499n },
    ],
    [
      'have money that is too little as a deposit',
      [[opened(first), captured(first, { amountMinor: 200n })], [delivered]],
      { atProviders: 200n, deposit: 200n },
    ],
  ])('%s', async (_what, told, held) => {
    const expected = { ...nothing, ...held };
    expect(await booksAfter(...told)).toEqual(expected);
    // All at once is the same as one after the other.
    expect(await booksAfter(told.flat())).toEqual(expected);
  });

  test('keep currencies apart', async () => {
    const { key } = await givenPlacedOrder(db);
    await record(key, [opened(first), captured(first, { currency: 'KRW' })]);
    expect(await holdings(key, 'KRW')).toEqual({ ...nothing, atProviders: 499n, deposit: 499n });
    expect(await holdings(key)).toEqual(nothing);
    await record(key, [elsewhere({ currency: 'KRW', amountMinor: 99n })]);
    expect(await holdings(key, 'KRW')).toEqual({ ...nothing, atProviders: 400n, deposit: 400n });
  });

  test.each([
    ['more', [200n, 499n]],
    ['less', [499n, 200n]],
    ['even more', [200n, 300n, 499n]],
  ])(
    'count a capture once that is later said to be %s, with its largest amount',
    async (_what, amounts) => {
      const { key } = await givenPlacedOrder(db);
      await record(key, [opened(first)]);
      for (const amountMinor of amounts) await record(key, [captured(first, { amountMinor })]);
      await record(key, [delivered]);
      expect(await holdings(key)).toEqual({ ...nothing, atProviders: 499n, sales: 499n });
    },
  );

  test('have a capture in both currencies that a provider names for it', async () => {
    for (const currencies of [
      ['EUR', 'USD'],
      ['USD', 'EUR'],
    ] as const) {
      const [one, other] = currencies.map((currency) => captured(first, { currency }));
      if (one === undefined || other === undefined) throw new Error('two are needed');
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

  test('follow a provider that contradicts itself about a refund or a dispute', async () => {
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

  test('name each capture, refund, dispute and sale, so that a settlement can be compared', async () => {
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

  test('name a larger amount and a second currency of a capture apart', async () => {
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

describe('in whatever order an order is heard of, its books end the same', () => {
  const dp2 = { disputeId: 'dp_2', captureId: 'pi_2' };
  const stories: [string, Fact[], string, Partial<typeof nothing>][] = [
    [
      'late money',
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
      'a refund that failed',
      [...paid, stuck(), delivered, whole, settled(whole, 'failed')],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
    [
      'a refund that failed first',
      [...paid, delivered, whole, settled(whole, 'failed'), settled(whole, 'done')],
      'refunded',
      {},
    ],
    [
      'parts',
      [...paid, delivered, part, settled(part, 'done'), elsewhere({ amountMinor: 99n }), expired],
      'arrived',
      { atProviders: 200n, sales: 200n },
    ],
    [
      'parts that are all of it',
      [...paid, delivered, part, settled(part, 'done'), elsewhere({ amountMinor: 299n })],
      'refunded',
      {},
    ],
    [
      'a dispute',
      [...paid, delivered, disputed('warning'), disputed('open'), expired],
      'arrived',
      { heldByBanks: 499n, sales: 499n },
    ],
    [
      'a dispute that is won',
      [...paid, delivered, disputed('open'), disputed('won'), expired],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
    [
      'a dispute that is lost',
      [...paid, delivered, disputed('open'), disputed('lost'), expired],
      'refunded',
      {},
    ],
    [
      'a dispute that is lost in part',
      [...paid, delivered, disputed('open'), disputed('lost', { amountMinor: 100n })],
      'arrived',
      { atProviders: 399n, sales: 399n },
    ],
    [
      'a dispute that is reinstated',
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
      'a second payment and a bank that takes both',
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
      'a second payment and a bank that takes one',
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
      'too little, and back',
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
      'a capture with two amounts',
      [opened(first), captured(first, { amountMinor: 200n }), captured(first), delivered, expired],
      'arrived',
      { atProviders: 499n, sales: 499n },
    ],
  ];
  const tellings = 20;

  test.each(stories)('%s', async (_what, facts, state, held) => {
    const ends = await Promise.all(Array.from({ length: tellings }, () => tellByChance(facts)));
    for (const { told, records, books } of ends) {
      expect({ told, links: brokenLinks(records) }).toEqual({ told, links: [] });
      // A bank may take the payment that is on its way back or the other one; both is sound.
      const isKept = records.order.state === 'arrived';
      const either = isKept ? { atProviders: 499n, sales: 499n } : {};
      const expected = { ...nothing, ...(state === 'one of them' ? either : held) };
      expect({ told, books }).toEqual({ told, books: expected });
      if (state !== 'one of them') expect(records.order.state).toBe(state);
    }
  });

  test('is tried for more than three hundred tellings', () => {
    expect(stories.length * tellings).toBeGreaterThan(300);
  });

  /** One message after the other, sometimes two at once; then all that the shop sends back is sent. */
  async function tellByChance(facts: readonly Fact[]) {
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
    // No provider sends back what a bank has taken.
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
