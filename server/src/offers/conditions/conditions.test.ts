import type { RefundReason } from '@pointgate/contract/orders.ts';
import { expect, test } from 'vitest';
import type { Order, OrderIntent } from '../../money/orders/orders.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { openConditions, type PurchaseCondition } from './conditions.ts';

// The conditions of these tests use neither the database nor the order.
const db = {} as Db; // as: never queried
const tx = {} as Tx; // as: never queried
const order = {} as Order; // as: never read
const draft = { intent: { amountMinor: 500n } as OrderIntent }; // as: only the price is read

const discount = (name: string, percent: bigint): PurchaseCondition => ({
  name,
  preview: async (_db, { intent }) => ({
    ...intent,
    amountMinor: (intent.amountMinor * (100n - percent)) / 100n,
  }),
});

test('a second discount on an order is computed from the price that the first discount left, not from the full price', async () => {
  const conditions = openConditions([discount('half', 50n), discount('a tenth', 10n)]);

  expect((await conditions.preview(db, draft)).amountMinor).toBe(225n);
});

test('an order paid after its expiry is accepted only if its coupon, purchase limit and gift can each be taken again', async () => {
  const asked: string[] = [];
  const answering = (name: string, answer: boolean): PurchaseCondition => ({
    name,
    takeAgain: async () => {
      asked.push(name);
      return answer;
    },
  });
  const silent = { name: 'silent' };

  expect(
    await openConditions([silent, answering('first', true), answering('second', true)]).takeAgain(
      tx,
      order,
    ),
  ).toBe(true);
  expect(
    await openConditions([answering('third', false), answering('fourth', true)]).takeAgain(
      tx,
      order,
    ),
  ).toBe(false);
  expect(asked).toEqual(['first', 'second', 'third']);
});

test.each<[RefundReason[], string[]]>([
  [['not_delivered_in_time'], ['goods', 'coupon']],
  [['operator'], ['goods']],
  [['player_request'], []],
  [
    ['player_request', 'declined_by_game'],
    ['goods', 'coupon'],
  ],
])(
  "after a refund for the reasons %j, the player can again use these of the order's pack limit (goods) and coupon: %j",
  async (reasons, expected) => {
    const given: string[] = [];
    const giveBack = (name: string) => async () => {
      given.push(name);
    };
    const conditions = openConditions([
      {
        name: 'goods',
        onRefund: { after: ['not_provided', 'goodwill'], giveBack: giveBack('goods') },
      },
      { name: 'coupon', onRefund: { after: ['not_provided'], giveBack: giveBack('coupon') } },
      { name: 'limit of the law' },
    ]);

    await conditions.giveBack(tx, order, reasons);

    expect(given).toEqual(expected);
  },
);

test('an order that one purchase condition (coupon, limit or gift) refuses is not passed to the conditions after it', async () => {
  const held: string[] = [];
  const holding = (name: string): PurchaseCondition => ({
    name,
    hold: async () => {
      held.push(name);
      if (name === 'refusing') throw new Error('refused');
    },
  });
  const conditions = openConditions([holding('first'), holding('refusing'), holding('last')]);

  await expect(conditions.hold(tx, order, draft)).rejects.toThrow('refused');
  expect(held).toEqual(['first', 'refusing']);
});
