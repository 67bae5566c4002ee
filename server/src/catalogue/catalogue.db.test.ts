import { itemGroups } from '@pointgate/contract/catalogue.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { givenPlayer, openTestShop, send, signIn, type TestShop } from '../../test/shop.ts';
import { sql, type Tx } from '../platform/db.ts';
import { openCatalogue } from './catalogue.ts';

let shop: TestShop;
let cookie: string;
beforeAll(async () => {
  shop = await openTestShop();
  cookie = await signIn(shop, await givenPlayer(shop));
});
afterAll(() => shop.closeAll());

const path = itemGroups.path;
const solmere = { gameId: 'solmere', system: 'android' } as const;

async function itemsFor(
  body: object,
  headers: Record<string, string> = {},
): Promise<ReplyOf<typeof itemGroups>['groups']> {
  const reply = await send(shop, path, { cookie, body, headers });
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
  return z.decode(itemGroups.reply, reply.data as never).groups; // as: decode checks it
}

/** Changes the catalogue and reads it as a process that has just started would. */
async function afterChange(change: (tx: Tx) => Promise<unknown>) {
  await shop.db.transaction(change);
  return openCatalogue(shop.db);
}

describe('what can be bought', () => {
  test('[S7.14] comes in groups, in order, with its price, gift and picture', async () => {
    const groups = await itemsFor(solmere);
    expect(groups.map(({ groupId, name }) => [groupId, name])).toEqual([
      ['omni-cards', 'Omni Cards'],
    ]);
    expect(groups[0]?.items.map(({ itemId }) => itemId)).toEqual(
      [60, 300, 980, 1980, 3280, 6480].map((count) => `shards_${count}`),
    );
    expect(groups[0]?.items[2]).toEqual({
      itemId: 'shards_980',
      name: '980 Lumen Shards',
      quantity: 980n,
      unit: 'Shards',
      gift: { quantity: 110n, reason: 'bonus' },
      price: { amountMinor: 1499n, currency: 'USD' },
      pricePoints: 1500n,
      badge: 'popular',
      tier: 'dusk',
      art: 'shard3',
    });
  });

  test('is named in the language of the player', async () => {
    const [group] = await itemsFor(solmere, { 'accept-language': 'de' });
    expect(group?.items[0]).toMatchObject({ name: '60 Lumensplitter', unit: 'Splitter' });
  });

  test('is nothing for a game that is not there', async () => {
    expect(await itemsFor({ ...solmere, gameId: 'nowhere' })).toEqual([]);
  });

  test('is not told without a session', async () => {
    expect(await send(shop, path, { body: solmere })).toMatchObject({ httpStatus: 203 });
  });

  test.each([
    ['no system', { gameId: 'solmere' }],
    ['a system we do not know', { ...solmere, system: 'windows' }],
    ['a game id that is none', { ...solmere, gameId: '../solmere' }],
    ['a currency of the own choice', { ...solmere, currency: 'VND' }],
  ])('is not told to a malformed question: %s', async (_what, body) => {
    expect(await send(shop, path, { cookie, body })).toMatchObject({ httpStatus: 400 });
  });
});

describe('an offer', () => {
  const offer = { ...solmere, itemId: 'shards_60', currency: 'USD' } as const;
  const group = { ...solmere, currency: 'USD' } as const;
  const idsIn = (groups: { items: { itemId: string }[] }[]) =>
    groups.flatMap(({ items }) => items.map(({ itemId }) => itemId));

  test('is what the list shows, with the name the game has for it', async () => {
    expect(await shop.catalogue.offer(offer)).toMatchObject({
      itemId: 'shards_60',
      sku: 'lumen_shard',
      quantity: 60n,
      giftQuantity: 6n,
      price: { amountMinor: 99n, currency: 'USD' },
    });
  });

  test('is none in a currency without a price, and the list leaves the item out', async () => {
    expect(await shop.catalogue.offer({ ...offer, currency: 'JPY' })).toBe('not_for_sale');
    const groups = await shop.catalogue.itemGroups({ ...group, currency: 'JPY' }, 'en-US');
    expect(idsIn(groups)).toEqual([]);
  });

  test('is made in points where there is a price in points, and the list says which', async () => {
    const inPoints = { ...offer, currency: 'EPOINT' } as const;
    expect(await shop.catalogue.offer(inPoints)).toMatchObject({
      price: { amountMinor: 100n, currency: 'EPOINT' },
    });
    const catalogue = await afterChange((tx) =>
      tx.run(sql`
        delete from item_prices where item_id = 'shards_1980' and currency = 'EPOINT'`),
    );
    const [found] = await catalogue.itemGroups(group, 'en-US');
    const pointsFor = (itemId: string) =>
      found?.items.find((item) => item.itemId === itemId)?.pricePoints;
    expect(pointsFor('shards_60')).toBe(100n);
    expect(pointsFor('shards_1980')).toBeNull();
    const moneyOnly = { ...inPoints, itemId: 'shards_1980' };
    expect(await catalogue.offer(moneyOnly)).toBe('not_for_sale');
  });

  test('is none for an item of another game', async () => {
    expect(await shop.catalogue.offer({ ...offer, gameId: 'nowhere' })).toBe('not_for_sale');
  });

  test('is none once the operator stops the sale', async () => {
    const catalogue = await afterChange((tx) =>
      tx.run(sql`update items set is_for_sale = false where id = 'shards_300'`),
    );
    expect(await catalogue.offer({ ...offer, itemId: 'shards_300' })).toBe('not_for_sale');
    expect(idsIn(await catalogue.itemGroups(group, 'en-US'))).not.toContain('shards_300');
  });

  test('is made to the phones it is for, and the others are told apart from "not for sale"', async () => {
    const catalogue = await afterChange((tx) =>
      tx.run(sql`update items set systems = array['android'] where id = 'shards_980'`),
    );
    const shards = { ...offer, itemId: 'shards_980' };
    expect(await catalogue.offer({ ...shards, system: 'ios' })).toBe('not_on_system');
    expect(await catalogue.offer(shards)).toMatchObject({ itemId: 'shards_980' });
    expect(idsIn(await catalogue.itemGroups({ ...group, system: 'ios' }, 'en-US'))).not.toContain(
      'shards_980',
    );
  });

  test('has no gift where there is none, and keeps every digit of a large price', async () => {
    const catalogue = await afterChange(async (tx) => {
      await tx.run(sql`update items set gift_quantity = 0 where id = 'shards_6480'`);
      await tx.run(sql`
        insert into item_prices values ('shards_6480', 'VND', 900719925474099301)`);
    });
    const [found] = await catalogue.itemGroups({ ...group, currency: 'VND' }, 'en-US');
    expect(found?.items).toEqual([
      expect.objectContaining({
        gift: null,
        price: { amountMinor: 900_719_925_474_099_301n, currency: 'VND' },
      }),
    ]);
  });
});

describe('a pack of points', () => {
  const pack = { itemId: 'epoint_500', system: 'android', currency: 'USD' } as const;

  test('is offered as the list shows it', async () => {
    const offered = await shop.catalogue.offerPack(pack);
    expect(offered).toEqual({
      itemId: 'epoint_500',
      name: expect.objectContaining({ 'en-US': '500 E Points' }),
      quantity: 500n,
      giftQuantity: 25n,
      giftDays: 90,
      art: 'coin2',
      price: { amountMinor: 499n, currency: 'USD' },
    });
    const listed = await shop.catalogue.pointPacks(pack, 'en-US');
    expect(listed.find(({ itemId }) => itemId === 'epoint_500')).toMatchObject({
      quantity: 500n,
      price: { amountMinor: 499n, currency: 'USD' },
    });
  });

  test('is not offered in other money, to other phones, or when it is withdrawn', async () => {
    expect(await shop.catalogue.offerPack({ ...pack, currency: 'JPY' })).toBe('not_for_sale');
    expect(await shop.catalogue.offerPack({ ...pack, itemId: 'epoint_7' })).toBe('not_for_sale');
    const catalogue = await afterChange(async (tx) => {
      await tx.run(sql`update point_packs set systems = array['ios'] where id = 'epoint_500'`);
      await tx.run(sql`update point_packs set is_for_sale = false where id = 'epoint_100'`);
    });
    expect(await catalogue.offerPack(pack)).toBe('not_on_system');
    expect(await catalogue.offerPack({ ...pack, itemId: 'epoint_100' })).toBe('not_for_sale');
    const ids = (await catalogue.pointPacks(pack, 'en-US')).map(({ itemId }) => itemId);
    expect(ids).toEqual(['epoint_1000', 'epoint_2000', 'epoint_5000', 'epoint_10000']);
  });
});

test('a game says whether it gives once what it is told twice, and it does unless told otherwise', async () => {
  expect(await shop.catalogue.game('solmere')).toMatchObject({ givesOnce: true });
  const catalogue = await afterChange((tx) => tx.run(sql`update games set gives_once = false`));
  expect(await catalogue.game('solmere')).toMatchObject({ givesOnce: false });
  expect(await catalogue.game('nowhere')).toBeUndefined();
});
