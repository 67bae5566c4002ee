import { accountTypes, loginMethods } from '@pointgate/contract/accounts.ts';
import { bulletinList, pageContent } from '@pointgate/contract/bulletins.ts';
import { flatItems, gameList, pointPacks } from '@pointgate/contract/catalogue.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { currencyDecimals } from '@pointgate/contract/money.ts';
import { PaymentMethod } from '@pointgate/contract/orders.ts';
import { rebateInfo } from '@pointgate/contract/promotions.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  createOrder,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import { couponsOf } from '../../test/coupons.ts';
import {
  givenGoodRows,
  malformedRows,
  openExecutor,
  type Planted,
  plantMalformedRows,
  refusalOf,
  refusalOfCopy,
} from '../../test/malformed-rows.ts';
import { givenBulletin } from '../../test/news.ts';
import { operate } from '../../test/operate.ts';
import { createPointsOrder } from '../../test/point-buying.ts';
import { startShopProcess } from '../../test/processes.ts';
import { callRaw } from '../../test/raw-call.ts';
import { givenCodes, redeem } from '../../test/redeem.ts';
import { eventually, openTestShop, send, signIn, type TestShop } from '../../test/shop.ts';
import { givenPlatform } from '../../test/sites.ts';
import { openCases, resolveCase } from '../money/cases/cases.ts';
import { policyPackNames } from '../people/real-names/policies/policies.ts';
import type { RawExecutor } from '../platform/db.ts';
import { log } from '../platform/log.ts';
import { sweepContent } from './content-checks.ts';

let shop: TestShop;
let buyer: Buyer;
let executor: RawExecutor;
let planted: Planted[];
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
  executor = openExecutor(shop);
  await givenGoodRows(shop);
});
afterAll(async () => {
  await executor.close();
  await shop.closeAll();
});

const openSubjects = async () => {
  const cases = await openCases(shop.db);
  return cases.filter(({ kind }) => kind === 'unusable_row').map(({ subject }) => subject);
};
const Subject = z.object({ case: z.literal('unusable_row'), subject: z.string() });
const Named = z.object({ table: z.string(), key: z.string() });

const checkedAsWritten = [
  ...['sites currency', 'sites other_currencies', 'sites locales', 'sites methods'],
  ...['sites time_zone', 'sites portal_url', 'sites theme', 'sites brand_id', 'sites countries'],
  ...['sites logger_url', 'sites login_methods', 'games api_url', 'games name', 'games subtitle'],
  ...['games theme', 'game_servers name', 'game_servers region', 'game_servers status'],
  ...[
    'item_groups name',
    'items name',
    'items unit',
    'items tier',
    'items art',
    'point_packs name',
  ],
  ...['price_rules base_currency', 'gift_rules starts_at', 'rebate_campaigns name'],
  ...['rebate_campaigns currency', 'rebate_campaigns ends_at', 'bulletins texts'],
  ...['sites play_urls', 'sites method_countries', 'sites contracts', 'sites policy_pack'],
];

test.each(checkedAsWritten)(
  'the database refuses to store a malformed value in the column: %s',
  async (which) => {
    const malformed = malformedRows.find(({ table, column }) => `${table} ${column}` === which);
    if (malformed === undefined) throw new Error('no such row');
    expect(await refusalOf(executor, malformed)).toMatch(
      /violates check constraint|not recognized/,
    );
  },
);

test('the database refuses to store a malformed content page, redeem batch or payment method switch', async () => {
  const added = malformedRows.filter(({ table }) =>
    ['page_versions', 'redeem_batches', 'method_switches'].includes(table),
  );
  expect(added).toHaveLength(8);
  for (const malformed of added) {
    const { table, column } = malformed;
    const refusal = await refusalOfCopy(executor, malformed);
    expect([table, column, refusal]).toEqual([
      ...[table, column],
      expect.stringMatching(/violates check constraint|invalid input syntax/),
    ]);
  }
});

test('the database and the server code list the same names of spending rules (policy packs)', async () => {
  const { rows } = await executor.executeSql('select known_policy_packs() as packs');
  expect(rows).toEqual([{ packs: policyPackNames }]);
});

test('the database and the API contract list the same currencies, locales, payment methods and sign-in methods', async () => {
  const Known = z.array(
    z.object({
      currencies: z.array(z.string()),
      locales: z.array(z.string()),
      methods: z.array(z.string()),
      logins: z.array(z.string()),
      types: z.array(z.string()),
    }),
  );
  const { rows } = await executor.executeSql(
    `select known_currencies() as currencies, known_locales() as locales, known_methods() as methods,
            known_login_methods() as logins, known_account_types() as types`,
  );
  expect(Known.parse(rows)).toEqual([
    {
      currencies: Object.keys(currencyDecimals),
      locales: [...locales],
      methods: Object.values(PaymentMethod.def.entries),
      logins: loginMethods,
      types: accountTypes,
    },
  ]);
});

test('a check of the stored sites, games, items and news opens no operator case if all their rows are valid', async () => {
  await sweepContent(shop);
  expect(await openSubjects()).toEqual([]);
});

describe('malformed content rows', () => {
  const logged: unknown[] = [];
  let logError: typeof log.error;
  beforeAll(async () => {
    // Replaced here, because opening a shop sets the log level and with it this function.
    logError = log.error;
    log.error = (line: unknown) => void logged.push(line);
    planted = await plantMalformedRows(shop);
    await givenBulletin(shop.db, { id: 'older', publishFrom: '2026-10-01T00:00:00Z' });
    await titleIsSeen('planted');
    await sweepContent(shop);
  });

  afterAll(() => {
    log.error = logError;
  });

  const linesAbout = ({ table, key }: Planted) =>
    logged
      .map((line) => Named.safeParse(line).data)
      .filter((line) => line?.table === table && line.key === key);
  /** Waits until the changes to sites and items were read again. */
  const titleIsSeen = async (title: string) => {
    await executor.executeSql(`update sites set title = $1 where id = 'solmere'`, [title]);
    await executor.executeSql(`update items set art = $1 where id = 'shards_60'`, [title]);
    await eventually(async () => (await shop.sites.byId('solmere'))?.title === title);
    const asked = { gameId: 'solmere', system: 'android', currency: 'USD', country: null } as const;
    await eventually(async () => {
      const offer = await shop.catalogue.offer({ ...asked, itemId: 'shards_60' });
      return typeof offer === 'object' && offer.goods.art === title;
    });
  };

  test('the tests of malformed content store more than thirty different malformed rows', () => {
    expect(planted.length).toBeGreaterThan(30);
  });

  test('each malformed content row opens an operator case that names its table, key and field', async () => {
    const subjects = await openSubjects();
    for (const { table, key, column, named = column } of planted) {
      const ofRow = subjects.filter((subject) => subject.startsWith(`${table} ${key}: ${named}`));
      expect([table, column, ofRow.length]).toEqual([table, column, 1]);
    }
    expect(subjects).toHaveLength(planted.length);
  });

  test('each malformed content row is logged once, and not again when it is read again', async () => {
    for (const row of planted) expect([row.key, linesAbout(row)]).toMatchObject([row.key, [{}]]);
    await sweepContent(shop);
    await titleIsSeen('changed');
    for (const row of planted) expect([row.key, linesAbout(row)]).toMatchObject([row.key, [{}]]);
  });

  test('the lists of news, rebates and coupons show the valid rows and leave out the malformed ones', async () => {
    const { cookie } = buyer;
    const shown: string[] = [];
    for (let after: unknown = null, pages = 0; pages === 0 || after !== null; pages += 1) {
      const { data } = await send(shop, bulletinList.path, {
        body: { tab: 'all', after, limit: 1 },
      });
      const { bulletins, nextAfter } = bulletinList.reply.parse(data);
      shown.push(...bulletins.map(({ bulletinId }) => bulletinId));
      after = nextAfter;
    }
    expect(shown).toEqual(['tidefall', 'older']);
    const rebates = await send(shop, rebateInfo.path, { cookie, body: { gameId: 'solmere' } });
    expect(JSON.stringify(rebates.data)).toContain('harvest');
    expect(await couponsOf(shop, buyer)).toEqual([]);
  });

  test('a game with a malformed database row is missing from the game list of a platform site, and the other games are listed', async () => {
    const badGame = planted.find(({ table }) => table === 'games')?.key ?? '';
    const platform = await givenPlatform(shop, {
      portalUrl: shop.url,
      gameIds: [badGame, 'solmere'],
    });
    const cookie = await signIn(platform, buyer);
    const { data } = await send(platform, gameList.path, { cookie });
    expect(gameList.reply.parse(data).games.map(({ gameId }) => gameId)).toEqual(['solmere']);
    const roles = await send(platform, '/api/character/role/list', {
      cookie,
      body: { gameId: badGame, serverId: 's12' },
    });
    expect(roles).toMatchObject({ httpStatus: 200, code: 'GameUnavailable' });
  });

  test('calls to a site with a malformed row in the database are answered with SiteUnavailable', async () => {
    const unreadable = planted.filter(
      ({ table, column }) => table === 'sites' && column !== 'policy_pack',
    );
    for (const { key } of unreadable) {
      const headers = { host: `${key}.example` };
      for (const path of ['/config.json', '/api/time']) {
        const reply = await callRaw(shop.url + path, { headers });
        expect([key, reply.status]).toEqual([key, 503]);
        expect(reply.json()).toMatchObject({ isSuccess: false, code: 'SiteUnavailable' });
      }
    }
  });

  test('an order on a site whose spending rules (policy pack) are unknown is refused with SiteUnavailable', async () => {
    const setPack = (pack: string) =>
      executor.executeSql(`update sites set policy_pack = $1 where id = 'solmere'`, [pack]);
    const closed = { httpStatus: 503, isSuccess: false, code: 'SiteUnavailable' };
    await setPack('chian');
    expect(await createOrder(shop, buyer)).toMatchObject(closed);
    expect(await createPointsOrder(shop, buyer)).toMatchObject(closed);
    await setPack('none');
    expect(await createOrder(shop, buyer)).toMatchObject({ isSuccess: true });
  });

  test('a redeem code of a batch with a malformed database row is refused, and its earlier redemptions are still answered as before', async () => {
    const autumn = { codes: 2, name: 'autumn', codesPerAccount: 2 };
    const [redeemed = '', fresh = ''] = await givenCodes(shop, autumn);
    const before = await redeem(shop, buyer, redeemed);
    expect(before).toMatchObject({ isSuccess: true });
    const setReward = (points: string) =>
      executor.executeSql(
        `update redeem_batches set reward = jsonb_set(reward, '{points}', to_jsonb($1::text))
         where name = 'autumn'`,
        [points],
      );
    await setReward('many');
    // Ten wrong guesses would block further attempts.
    for (let tries = 0; tries < 12; tries += 1) {
      const reply = await redeem(shop, buyer, fresh);
      expect(reply).toMatchObject({ httpStatus: 200, code: 'RedeemCodeNotStarted' });
    }
    const again = await redeem(shop, buyer, redeemed);
    expect(again).toMatchObject({ isSuccess: true, data: before.data });
    await setReward('100');
    expect(await redeem(shop, buyer, fresh)).toMatchObject({ isSuccess: true });
  });

  test('a text page with a malformed database row is answered with PageMissing, and other pages are shown', async () => {
    const withoutBody = planted.findLast(({ table }) => table === 'page_versions');
    const bad = withoutBody?.key.split('/')[1] ?? '';
    const read = (pageId: string) => send(shop, pageContent.path.replace('{id}', pageId));
    expect(await read(bad)).toMatchObject({ httpStatus: 200, code: 'PageMissing' });
    expect(await read('house-rules')).toMatchObject({ isSuccess: true });
  });

  test('an operator case about a malformed content row closes when the row is corrected and opens again when it is malformed again', async () => {
    const [site] = planted.filter(({ column }) => column === 'time_zone');
    const key = site?.key ?? '';
    const host = `${key}.example`;
    const setZone = (zone: string) =>
      executor.executeSql('update sites set time_zone = $1 where id = $2', [zone, key]);
    const isOpen = async () =>
      (await openSubjects()).some((subject) => subject.startsWith(`sites ${key}:`));

    await setZone('Asia/Tokyo');
    await sweepContent(shop);
    expect(await isOpen()).toBe(false);
    const seen = async () =>
      (await callRaw(`${shop.url}/config.json`, { headers: { host } })).status;
    await eventually(async () => (await seen()) === 200);
    await setZone('Mars/Base');
    await sweepContent(shop);
    expect(await isOpen()).toBe(true);
    await eventually(async () => (await seen()) === 503);
    const told = logged.flatMap((line) => Subject.safeParse(line).data?.subject ?? []);
    expect(told.filter((subject) => subject.startsWith(`sites ${key}: time_zone`))).toHaveLength(2);
  });

  test('an operator case about a malformed content row is not opened again after an operator has resolved it', async () => {
    const [first] = (await openCases(shop.db)).filter(({ kind }) => kind === 'unusable_row');
    const id = first?.id ?? '';
    await shop.db.transaction((tx) => resolveCase(tx, { id, by: 'mira', resolution: 'known' }));
    await sweepContent(shop);
    expect(await openSubjects()).not.toContain(first?.subject);
  });

  test('a site whose own rows are valid sells and delivers items although other rows of the database are malformed', async () => {
    shop.startWorker();
    const { cookie } = buyer;
    const items = await send(shop, flatItems.path, {
      cookie,
      body: { gameId: 'solmere', system: 'android' },
    });
    expect(JSON.stringify(items.data)).toContain('shards_300');
    expect(JSON.stringify(items.data)).not.toContain('bad-');
    const packs = await send(shop, pointPacks.path, { cookie, body: { system: 'android' } });
    expect(JSON.stringify(packs.data)).toContain('epoint_1000');
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    await untilShown(shop, buyer, order, 'Fulfilled');
  });

  test('the operator commands that list content succeed although some rows of the database are malformed', async () => {
    const lists = ['methods', 'list-promotions', 'list-coupons', 'check-prices', 'list-codes'];
    for (const command of lists) {
      expect([command, await operate(shop, [command])]).toMatchObject([command, { status: 0 }]);
    }
  });

  test('an API process logs each malformed content row of the database when it starts', async () => {
    const api = await startShopProcess(shop, 'api');
    const lines = api.lines();
    for (const { table, key } of planted) {
      expect(lines).toContainEqual(expect.objectContaining({ level: 'error', table, key }));
    }
    await api.stop();
  });
});

test('a game without a configured secret opens an operator case, and so does a site without prices in its currency', async () => {
  await executor.executeSql(`
    insert into games (id, name, subtitle, api_url)
    select 'no-secret', name, subtitle, api_url from games where id = 'solmere'`);
  await executor.executeSql(`
    insert into sites (id, domain_type, title, brand_id, portal_url, currency, locales, methods)
    values ('no-price', 1, 'No price', 'omni', 'https://no-price.example', 'THB', '{en-US}', '{card}')`);
  await eventually(async () => (await shop.catalogue.game('no-secret')) !== undefined);
  await eventually(async () => (await shop.sites.byId('no-price')) !== undefined);
  await sweepContent(shop);
  expect(await openSubjects()).toEqual(
    expect.arrayContaining([
      'games no-secret: it has no secret: secret-set makes one',
      'sites no-price: nothing has a price in THB',
    ]),
  );
});
