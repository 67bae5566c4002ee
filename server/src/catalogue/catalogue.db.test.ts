import { flatItems, itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  eventually,
  givenPlayer,
  openTestShop,
  send,
  signIn,
  type TestShop,
} from '../../test/shop.ts';
import { sql, type Tx } from '../platform/db.ts';
import { type OfferedItem, openCatalogue, toItem } from './catalogue.ts';

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

/** Changes the catalogue and opens it without a cached state. */
async function afterChange(change: (tx: Tx) => Promise<unknown>) {
  await shop.db.transaction(change);
  return openCatalogue(shop.db);
}

describe('the item list', () => {
  test('[S7.14] the item list comes in ordered groups with price, gift and picture of each item', async () => {
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
      quoteId: expect.stringMatching(/^[\w-]{32}$/),
      saleFrom: null,
      saleUntil: null,
      limit: null,
      rebatePoints: null,
    });
  });

  test('the item list names items and units in the language of the player', async () => {
    const [group] = await itemsFor(solmere, { 'accept-language': 'de' });
    expect(group?.items[0]).toMatchObject({ name: '60 Lumensplitter', unit: 'Splitter' });
  });

  test('[S7.14] the item list of an unknown game is refused with NotFound', async () => {
    const reply = await send(shop, path, { cookie, body: { ...solmere, gameId: 'nowhere' } });
    expect(reply).toMatchObject({ httpStatus: 404, code: 'NotFound', data: null });
  });

  test('[S7.14] the item list is refused without a session or from another origin', async () => {
    expect(await send(shop, path, { body: solmere })).toMatchObject({ httpStatus: 203 });
    const headers = { 'sec-fetch-site': 'cross-site' };
    const foreign = await send(shop, path, { cookie, body: solmere, headers });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  });

  test.each([
    ['no system', { gameId: 'solmere' }],
    ['an unknown system', { ...solmere, system: 'windows' }],
    ['a malformed game id', { ...solmere, gameId: '../solmere' }],
    ['a malformed currency', { ...solmere, currency: 'usd' }],
    ['a role without a role id', { ...solmere, role: { serverId: 's12' } }],
  ])('[S7.14] an item list request with %s is rejected as malformed', async (_what, body) => {
    expect(await send(shop, path, { cookie, body })).toMatchObject({ httpStatus: 400 });
  });
});

describe('offers', () => {
  const group = { ...solmere, currency: 'USD', country: null } as const;
  const offer = { ...group, itemId: 'shards_60' } as const;
  const idsIn = (groups: { offers: OfferedItem[] }[]) =>
    groups.flatMap(({ offers }) => offers.map(({ goods }) => goods.id));

  test('the catalogue offer for an order has the quote id that the item list shows, and the price, quantity, gift and SKU of the item', async () => {
    const made = await shop.catalogue.offer(offer);
    expect(made).toMatchObject({
      goods: { id: 'shards_60', sku: 'lumen_shard', quantity: 60n, giftQuantity: 6n },
      goodsKey: 'item:shards_60',
      price: { amountMinor: 99n, currency: 'USD' },
    });
    const [listed] = (await itemsFor(solmere))[0]?.items ?? [];
    expect(made).toMatchObject({ quoteId: listed?.quoteId });
  });

  test('an item without a price in a currency is neither for sale nor listed in that currency', async () => {
    expect(await shop.catalogue.offer({ ...offer, currency: 'JPY' })).toBe('not_for_sale');
    const groups = await shop.catalogue.itemOffers({ ...group, currency: 'JPY' });
    expect(idsIn(groups)).toEqual([]);
  });

  test('the catalogue gives an order the E Point price of its item, or null for an item sold for money only', async () => {
    expect(await shop.catalogue.offer(offer)).toMatchObject({ pricePoints: 100n });
    const catalogue = await afterChange((tx) =>
      tx.run(sql`
        delete from item_prices where item_id = 'shards_1980' and currency = 'EPOINT'`),
    );
    const moneyOnly = await catalogue.offer({ ...offer, itemId: 'shards_1980' });
    expect(moneyOnly).toMatchObject({ pricePoints: null });
  });

  test('an item of one game cannot be ordered under another game', async () => {
    expect(await shop.catalogue.offer({ ...offer, gameId: 'nowhere' })).toBe('not_for_sale');
  });

  test('an item whose sale the operator has stopped is neither in the item list nor can it be ordered', async () => {
    const catalogue = await afterChange((tx) =>
      tx.run(sql`update items set is_for_sale = false where id = 'shards_300'`),
    );
    expect(await catalogue.offer({ ...offer, itemId: 'shards_300' })).toBe('not_for_sale');
    expect(idsIn(await catalogue.itemOffers(group))).not.toContain('shards_300');
  });

  test("an item sold only for another operating system than the player's is not in the item list and cannot be ordered", async () => {
    const catalogue = await afterChange((tx) =>
      tx.run(sql`update items set systems = array['android'] where id = 'shards_980'`),
    );
    const shards = { ...offer, itemId: 'shards_980' };
    expect(await catalogue.offer({ ...shards, system: 'ios' })).toBe('not_on_system');
    expect(await catalogue.offer(shards)).toMatchObject({ goodsKey: 'item:shards_980' });
    const onPhones = await catalogue.itemOffers({ ...group, system: 'ios' });
    expect(idsIn(onPhones)).not.toContain('shards_980');
  });

  test('the catalogue offer of an item without a bonus has no gift, and its price is exact even with 18 digits', async () => {
    const catalogue = await afterChange(async (tx) => {
      await tx.run(sql`update items set gift_quantity = 0 where id = 'shards_6480'`);
      await tx.run(sql`
        insert into item_prices values ('shards_6480', 'VND', 900719925474099301)`);
    });
    const made = await catalogue.offer({ ...offer, itemId: 'shards_6480', currency: 'VND' });
    if (typeof made !== 'object') throw new Error(made);
    expect(toItem(made, { limit: null, rebatePoints: null }, 'en-US')).toMatchObject({
      gift: null,
      price: { amountMinor: 900_719_925_474_099_301n, currency: 'VND' },
    });
  });

  test("the catalogue offer for an order has the price of the player's country, or that of a price rule, where one is defined", async () => {
    const catalogue = await afterChange(async (tx) => {
      await tx.run(sql`
        insert into item_prices (item_id, currency, country, amount_minor)
        values ('shards_60', 'USD', 'BR', 49)`);
      await tx.run(sql`
        insert into price_rules (currency, base_currency, rate_numerator, rate_denominator, price_points)
        values ('JPY', 'USD', 120, 100, array[120, 600])`);
    });
    const priceFor = async (changes: object) => {
      const made = await catalogue.offer({ ...offer, ...changes });
      return typeof made === 'object' ? made.price.amountMinor : made;
    };
    expect(await priceFor({ country: 'BR' })).toBe(49n);
    expect(await priceFor({ country: 'DE' })).toBe(99n);
    expect(await priceFor({ currency: 'JPY' })).toBe(120n);
    await shop.db.transaction((tx) => tx.run(sql`delete from price_rules`));
  });

  test('an item is listed and can be ordered from its sale start inclusive to its sale end exclusive', async () => {
    const from = Date.parse('2026-11-15T10:00:00Z');
    const until = Date.parse('2026-11-15T12:00:00Z');
    await shop.db.transaction((tx) =>
      tx.run(sql`
        update items set sale_from = ${new Date(from)}, sale_until = ${new Date(until)}
        where id = 'shards_60'`),
    );
    let now = 0;
    const catalogue = openCatalogue(shop.db, undefined, () => now);
    const isOffered = async (at: number) => {
      now = at;
      const listed = idsIn(await catalogue.itemOffers(group)).includes('shards_60');
      expect(typeof (await catalogue.offer(offer)) === 'object').toBe(listed);
      return listed;
    };
    expect(await isOffered(from - 1)).toBe(false);
    expect(await isOffered(from)).toBe(true);
    expect(await isOffered(until - 1)).toBe(true);
    expect(await isOffered(until)).toBe(false);
    await shop.db.transaction((tx) =>
      tx.run(sql`update items set sale_from = null, sale_until = null where id = 'shards_60'`),
    );
  });
});

describe('the flat item list', () => {
  test('[S7.13] the flat item list has the same items, order and prices as the grouped list', async () => {
    // Once the cached catalogue shows this change, it shows all changes of earlier tests, too, and
    // both lists have the same state.
    await shop.db.transaction((tx) =>
      tx.run(sql`update items set gift_quantity = 77 where id = 'shards_3280'`),
    );
    await eventually(async () =>
      (await itemsFor(solmere)).some(({ items }) =>
        items.some(({ gift }) => gift?.quantity === 77n),
      ),
    );
    const reply = await send(shop, flatItems.path, { cookie, body: solmere });
    const { items } = z.decode(flatItems.reply, reply.data as never); // as: decode checks it
    const groups = await itemsFor(solmere);
    expect(items).toEqual(
      groups.flatMap((group) =>
        group.items.map(({ itemId, name, quantity, gift, price, pricePoints, art }) => ({
          itemId,
          name,
          quantity,
          price,
          pricePoints,
          art,
          giftQuantity: gift?.quantity ?? 0n,
          giftReason: gift?.reason ?? null,
        })),
      ),
    );
    expect(items.length).toBeGreaterThan(2);
  });

  test('[S7.13] a flat item list request with a currency, malformed, without a session or cross-site is refused', async () => {
    const ask = (body: object, who: { cookie?: string } = { cookie }) =>
      send(shop, flatItems.path, { ...who, body });
    expect(await ask({ ...solmere, currency: 'USD' })).toMatchObject({ httpStatus: 400 });
    expect(await ask({ gameId: 'solmere' })).toMatchObject({ httpStatus: 400 });
    expect(await ask(solmere, {})).toMatchObject({ httpStatus: 203 });
    const headers = { 'sec-fetch-site': 'cross-site' };
    const foreign = await send(shop, flatItems.path, { cookie, body: solmere, headers });
    expect(foreign).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
    expect(await ask({ ...solmere, gameId: 'nowhere' })).toMatchObject({ code: 'NotFound' });
  });
});

test('[S7.14, S7.32] an item or pack list in a currency that the site does not take is refused', async () => {
  for (const [address, body] of [
    [path, solmere],
    [pointPacks.path, { system: 'android' }],
  ] as const) {
    const refused = await send(shop, address, { cookie, body: { ...body, currency: 'VND' } });
    expect(refused).toMatchObject({ isSuccess: false, code: 'InvalidParams' });
    const taken = await send(shop, address, { cookie, body: { ...body, currency: 'USD' } });
    expect(taken).toMatchObject({ isSuccess: true });
  }
});

describe('E Point packs', () => {
  const asked = { system: 'android', currency: 'USD', country: null } as const;
  const pack = { ...asked, itemId: 'epoint_500' };

  test('the E Point pack that the catalogue gives an order equals the one in the E Point pack list', async () => {
    const offered = await shop.catalogue.offerPack(pack);
    expect(offered).toMatchObject({
      goods: { id: 'epoint_500', quantity: 500n, giftQuantity: 25n, giftDays: 90, art: 'coin3' },
      price: { amountMinor: 499n, currency: 'USD' },
      pricePoints: null,
    });
    const reply = await send(shop, pointPacks.path, { cookie, body: { system: 'android' } });
    const { packs } = z.decode(pointPacks.reply, reply.data as never); // as: decode checks it
    const listed = packs.find(({ itemId }) => itemId === 'epoint_500');
    expect(listed).toMatchObject({ quantity: 500n, limit: null, saleUntil: null });
    expect(offered).toMatchObject({ price: listed?.price, quoteId: listed?.quoteId });
  });

  test('an E Point pack cannot be ordered in an unpriced currency, on another operating system or when withdrawn', async () => {
    expect(await shop.catalogue.offerPack({ ...pack, currency: 'JPY' })).toBe('not_for_sale');
    expect(await shop.catalogue.offerPack({ ...pack, itemId: 'epoint_7' })).toBe('not_for_sale');
    const catalogue = await afterChange(async (tx) => {
      await tx.run(sql`update point_packs set systems = array['ios'] where id = 'epoint_500'`);
      await tx.run(sql`update point_packs set is_for_sale = false where id = 'epoint_100'`);
    });
    expect(await catalogue.offerPack(pack)).toBe('not_on_system');
    expect(await catalogue.offerPack({ ...pack, itemId: 'epoint_100' })).toBe('not_for_sale');
    const ids = (await catalogue.packOffers(asked)).map(({ goods }) => goods.id);
    expect(ids).toEqual(['epoint_1000', 'epoint_2000', 'epoint_5000', 'epoint_10000']);
  });
});

test('a game counts as having idempotent delivery (a repeated call grants once) unless its row in the games table says otherwise', async () => {
  expect(await shop.catalogue.game('solmere')).toMatchObject({ givesOnce: true });
  const catalogue = await afterChange((tx) => tx.run(sql`update games set gives_once = false`));
  expect(await catalogue.game('solmere')).toMatchObject({ givesOnce: false });
  expect(await catalogue.game('nowhere')).toBeUndefined();
});
