import { CouponList } from '@pointgate/contract/documents/coupons.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { couponLine, givenTemplate, newTemplateId } from '../../../test/coupons.ts';
import { operateForJson } from '../../../test/operate.ts';
import { operateByProgram } from '../../../test/processes.ts';
import { givenPlayer, openTestShop, type TestPlayer, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { sitesIn } from '../../publisher/sites/sites.ts';
import { couponTemplates, handOutCoupons, loadCoupons } from './coupon-templates.ts';

let shop: TestShop;
let players: TestPlayer[];
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  players = await Promise.all([givenPlayer(shop), givenPlayer(shop), givenPlayer(shop)]);
});
afterAll(() => shop.closeAll());

async function countCoupons(templateId: string): Promise<number> {
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`select count(*)::int from coupons where template_id = ${templateId}`,
  );
  return count;
}

const load = (...lines: object[]) =>
  shop.db.transaction(async (tx) => {
    const list = CouponList.parse(lines);
    return await loadCoupons(tx, { list, sites: await sitesIn(tx), by: 'ines' });
  });

test('operator commands load coupon templates and issue coupons, and a repeated issue under one key gives each player one coupon', async () => {
  const [one, two, three] = players;
  const templateId = newTemplateId();
  expect(
    await operateForJson(shop, ['load-coupons'], [couponLine({ templateId })], operateByProgram),
  ).toEqual({
    status: 0,
    said: { loaded: 1 },
    complaint: '',
  });
  const issue = (receivers: unknown, key = 'november') =>
    operateForJson(shop, ['issue-coupons', templateId, '--key', key], receivers);
  const both = [one?.accountId, two?.loginName.toUpperCase(), two?.accountId];
  expect((await issue(both)).said).toMatchObject({ issued: 2, issuedBefore: 0, atLimit: [] });
  const all = [...both, three?.loginName];
  expect((await issue(all)).said).toMatchObject({ issued: 1, issuedBefore: 2, atLimit: [] });
  expect((await issue([one?.accountId], 'december')).said).toMatchObject({
    issued: 0,
    atLimit: [one?.accountId],
  });
  expect(await countCoupons(templateId)).toBe(3);
  const { said } = await operateForJson(shop, ['list-coupons']);
  expect(said).toMatchObject([{ id: templateId, issued: 3, held: 0 }]);
});

test("an operator's coupon command with unusable input fails with an explanation and issues no coupon", async () => {
  const templateId = await givenTemplate(shop);
  const issue = (args: string[], receivers: unknown) =>
    operateForJson(shop, ['issue-coupons', ...args], receivers);
  const refusals = await Promise.all([
    operateForJson(shop, ['load-coupons'], [couponLine({ templateId: 'Not A Name' })]),
    operateForJson(shop, ['load-coupons'], [couponLine(), couponLine({ sites: ['nowhere'] })]),
    operateForJson(shop, ['load-coupons'], '{'),
    issue([templateId], [players[0]?.accountId]),
    issue([templateId, '--key', 'one'], [players[0]?.accountId, 'nobody-at-all']),
    issue([templateId, '--key', 'one two'], [players[0]?.accountId]),
    issue(['nothing', '--key', 'one'], [players[0]?.accountId]),
    issue([templateId, '--key', 'one'], []),
  ]);
  expect(refusals.map(({ status, said, complaint }) => [status, said, complaint.trim()])).toEqual(
    [
      expect.stringMatching(/^standard input is not usable:\n {2}0\.templateId: /),
      expect.stringMatching(/^coupon-\w+: there is no nowhere$/),
      'standard input is not JSON',
      '--key is missing',
      'there is nobody called nobody-at-all',
      'a key is a word of up to 64 letters',
      'there is no coupon nothing',
      expect.stringMatching(/^standard input is not usable:\n {2}all of it: /),
    ].map((complaint) => [1, null, complaint]),
  );
  expect(await countCoupons(templateId)).toBe(0);
});

test('an issue key that an operator used to issue coupons of one template is refused for another template', async () => {
  const [one, other] = [await givenTemplate(shop), await givenTemplate(shop)];
  const receivers = players.map(({ accountId }) => accountId);
  const give = (templateId: string) =>
    handOutCoupons(shop.db, { templateId, key: 'shared', receivers, by: 'ines' });
  expect(await give(one)).toMatchObject({ result: 'done', issued: 3 });
  const counted = (await couponTemplates(shop.db)).find(({ id }) => id === one);
  expect(counted).toMatchObject({ issued: 3, held: 0, ends_at: null });
  expect(await give(other)).toEqual({
    result: 'refused',
    why: 'shared was used for another coupon',
  });
  expect(await countCoupons(other)).toBe(0);
});

test("an operator's coupon handout run ten times concurrently gives each receiver one coupon", async () => {
  const templateId = await givenTemplate(shop, { perAccountMax: 5 });
  const receivers = players.map(({ accountId }) => accountId);
  const handouts = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      handOutCoupons(shop.db, {
        templateId,
        key: 'at-once',
        receivers: index % 2 === 0 ? receivers : receivers.toReversed(),
        by: 'ines',
      }),
    ),
  );
  expect(handouts.every(({ result }) => result === 'done')).toBe(true);
  expect(await countCoupons(templateId)).toBe(3);
});

test("an operator's handout of coupons from an ended coupon template is refused", async () => {
  const templateId = await givenTemplate(shop, { endsAt: new Date().toISOString() });
  const receivers = players.map(({ accountId }) => accountId);
  const handout = { templateId, key: 'too-late', receivers, by: 'ines' };
  expect(await handOutCoupons(shop.db, handout)).toEqual({
    result: 'refused',
    why: 'its time is over',
  });
});

test("an operator's coupon list that repeats a coupon template changes nothing, and one that alters its terms is refused", async () => {
  const line = couponLine({ percent: null, amount: '1.50', currency: 'USD', kind: 'item' });
  expect(await load(line)).toEqual({ complaints: [], loaded: 1 });
  expect(await load(line, line)).toEqual({ complaints: [], loaded: 0 });
  const { templateId } = z.object({ templateId: z.string() }).parse(line);
  const fresh = couponLine();
  for (const change of [{ amount: '1.51' }, { perAccountMax: 2 }, { days: 3 }, { kind: null }]) {
    expect(await load(fresh, { ...line, ...change })).toEqual({
      complaints: [`${templateId}: has other terms, name it anew`],
      loaded: 0,
    });
  }
  const twice = couponLine();
  expect((await load(twice, { ...twice, percent: '20' })).complaints).toHaveLength(1);
  expect(await load(fresh)).toEqual({ complaints: [], loaded: 1 });
});

test('a coupon template that operators load five times concurrently is stored once', async () => {
  const line = couponLine();
  const loads = await Promise.all(Array.from({ length: 5 }, () => load(line)));
  expect(loads.flatMap(({ complaints }) => complaints)).toEqual([]);
  expect(loads.reduce((sum, { loaded }) => sum + loaded, 0)).toBe(1);
});

test.each([
  ['neither a percentage nor an amount', { percent: null }, 'either a percent or an amount'],
  [
    'both a percentage and an amount',
    { amount: '1', currency: 'USD' },
    'either a percent or an amount',
  ],
  ['a percentage of zero', { percent: '0.00' }, 'a percent is above 0 and up to 100'],
  ['a percentage above 100', { percent: '100.01' }, 'a percent is above 0 and up to 100'],
  ['an amount without a currency', { percent: null, amount: '1.00' }, 'amounts need a currency'],
  ['a cap without a currency', { cap: '1.00' }, 'amounts need a currency'],
  [
    'an amount of half a cent',
    { percent: null, amount: '0.005', currency: 'USD' },
    'amount is no amount in its currency',
  ],
  [
    'a minimum of one and a half yen',
    { minimum: '1.5', currency: 'JPY' },
    'minimum is no amount in its currency',
  ],
  ['a negative cap', { cap: '-1', currency: 'USD' }, 'cap is no amount in its currency'],
  ['a minimum of zero', { minimum: '0', currency: 'USD' }, 'minimum is no amount in its currency'],
  [
    'a cap on an amount',
    { percent: null, amount: '2', cap: '1', currency: 'USD' },
    'only a percent has a cap',
  ],
  [
    'a game for the kind points',
    { kind: 'points', games: ['solmere'] },
    'games are of the kind item',
  ],
  ['items but no kind', { items: ['shards_300'] }, 'items need a kind'],
  [
    'an end that is not after its start',
    { endsAt: '2020-01-01T00:00:00Z' },
    'ends before it starts',
  ],
  ['an item that is not sold', { kind: 'item', items: ['nothing'] }, 'there is no nothing'],
  [
    'an item listed as an E Point pack',
    { kind: 'points', items: ['shards_300'] },
    'there is no shards_300',
  ],
  ['an unknown game', { kind: 'item', games: ['nothing'] }, 'there is no nothing'],
  ['a currency that no site takes', { currency: 'KRW' }, 'no site that it is for takes this'],
])('a coupon template with %s is refused', async (_what, changes, why) => {
  const { complaints } = await load(couponLine(), couponLine(changes));
  expect(complaints).toEqual([expect.stringMatching(/^coupon-\w+: /)]);
  expect(complaints[0]).toContain(why);
});

test('a coupon name that lacks one of the nine languages is rejected', () => {
  const { name } = z.object({ name: z.record(z.string(), z.string()) }).parse(couponLine());
  const { 'de-DE': _missing, ...others } = name;
  expect(CouponList.safeParse([couponLine({ name: others })]).success).toBe(false);
  expect(CouponList.safeParse([couponLine({ name })]).success).toBe(true);
});
