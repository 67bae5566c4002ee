import { flatItems } from '@pointgate/contract/catalogue.ts';
import { SiteConfig } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type ShopProcess, startShopProcess } from '../../test/processes.ts';
import { callRaw } from '../../test/raw-call.ts';
import { givenPlayer, openTestShop, send, signIn, type TestShop } from '../../test/shop.ts';
import { type Db, sql } from '../platform/db.ts';
import { openContentChanges } from '../platform/versioned-cache.ts';
import { openSites } from '../publisher/sites/sites.ts';
import { openCatalogue } from './catalogue.ts';

let shop: TestShop;
let cookie: string;
let processes: ShopProcess[];
beforeAll(async () => {
  shop = await openTestShop();
  cookie = await signIn(shop, await givenPlayer(shop));
  processes = await Promise.all([startShopProcess(shop, 'api'), startShopProcess(shop, 'api')]);
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await shop.closeAll();
});

const body = { gameId: 'solmere', system: 'android' } as const;
const asked = { ...body, currency: 'USD', country: null } as const;

async function priceAt({ url }: { url: string }): Promise<bigint | undefined> {
  const { data } = await send({ ...shop, url }, flatItems.path, { cookie, body });
  const { items } = z.decode(flatItems.reply, data as never); // as: decode checks it
  return items.find(({ itemId }) => itemId === 'shards_60')?.price.amountMinor;
}

const setPrice = (amountMinor: bigint) =>
  shop.db.transaction((tx) =>
    tx.run(sql`
      update item_prices set amount_minor = ${amountMinor}
      where item_id = 'shards_60' and currency = 'USD'`),
  );

test('a price change is visible in every server process within two seconds', async () => {
  for (const amountMinor of [101n, 102n, 103n]) {
    expect(await Promise.all(processes.map(priceAt))).not.toContain(amountMinor);
    await setPrice(amountMinor);
    const changedAt = Date.now();
    const delaysMs = await Promise.all(
      processes.map(async (each) => {
        for (;;) {
          const askedAt = Date.now();
          if ((await priceAt(each)) === amountMinor) return 0;
          // A request sent after two seconds must see the change.
          if (askedAt - changedAt > 2_000) return askedAt - changedAt;
        }
      }),
    );
    expect(delaysMs).toEqual([0, 0]);
  }
});

test('a changed site setting is visible in every server process within two seconds', async () => {
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set title = 'Anew' where id = 'solmere'`),
  );
  const changedAt = Date.now();
  for (const { url } of processes) {
    for (;;) {
      const askedAt = Date.now();
      const { siteTitle } = SiteConfig.parse((await callRaw(`${url}/config.json`)).json());
      if (siteTitle === 'Anew') break;
      expect(askedAt - changedAt).toBeLessThanOrEqual(2_000);
    }
  }
});

/** A database wrapper that counts its queries. */
function counting(db: Db): { db: Db; count: () => number } {
  let asks = 0;
  const counted = <Args extends unknown[], Answer>(ask: (...args: Args) => Answer) => {
    return (...args: Args): Answer => {
      asks += 1;
      return ask(...args);
    };
  };
  const { one, maybeOne, many } = db;
  return {
    db: { ...db, one: counted(one), maybeOne: counted(maybeOne), many: counted(many) } as Db, // as: the wrapper loses the generics
    count: () => asks,
  };
}

test('a thousand catalogue lookups are answered from the server’s cache with only a few database queries', async () => {
  const { db, count } = counting(shop.db);
  const catalogue = openCatalogue(db);
  const sites = openSites(db);
  const startedAt = Date.now();
  for (let round = 0; round < 1_000; round += 1) {
    await Promise.all([
      sites.byHost('localhost'),
      catalogue.itemOffers(asked),
      catalogue.offer({ ...asked, itemId: 'shards_60' }),
      catalogue.packOffers(asked),
      catalogue.game(`made-up-${round}`),
    ]);
  }
  // Each cache is loaded once, between two version checks, and checked once a second from then on.
  const seconds = Math.ceil((Date.now() - startedAt) / 1_000);
  expect(count()).toBeLessThanOrEqual(6 + 1 + 2 * 2 + 2 * seconds);
});

test('a server process that gets no database notifications sees a price change by polling within two seconds', async () => {
  const withoutNews = openCatalogue(shop.db);
  const price = async () => {
    const offer = await withoutNews.offer({ ...asked, itemId: 'shards_60' });
    return typeof offer === 'object' ? offer.price.amountMinor : offer;
  };
  await price();
  await setPrice(777n);
  const changedAt = Date.now();
  for (;;) {
    const askedAt = Date.now();
    if ((await price()) === 777n) break;
    expect(askedAt - changedAt).toBeLessThanOrEqual(2_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test('the server is notified when any catalogue or site table changes, and reconnects when its database listener is disconnected', async () => {
  const heard = new Map<string, number>();
  const news = openContentChanges({ url: shop.databaseUrl, applicationName: 'pointgate-listener' });
  for (const topic of ['catalogue', 'sites']) {
    news.listen(topic, () => heard.set(topic, (heard.get(topic) ?? 0) + 1));
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until(() => heard.size === 2);
  // The statements change no row, because the triggers are per statement.
  for (const [topic, statement] of [
    ['catalogue', sql`delete from games where false`],
    ['catalogue', sql`delete from game_servers where false`],
    ['catalogue', sql`delete from item_groups where false`],
    ['catalogue', sql`update items set position = 0 where false`],
    ['catalogue', sql`delete from item_prices where false`],
    ['catalogue', sql`delete from point_packs where false`],
    ['catalogue', sql`delete from point_pack_prices where false`],
    ['catalogue', sql`delete from price_rules where false`],
    ['sites', sql`delete from sites where false`],
    ['sites', sql`delete from site_hosts where false`],
    ['sites', sql`delete from site_games where false`],
  ] as const) {
    const before = heard.get(topic) ?? 0;
    await shop.db.transaction((tx) => tx.run(statement));
    await until(() => (heard.get(topic) ?? 0) > before);
  }

  heard.clear();
  await shop.db.one(
    z.object({ ended: z.boolean() }),
    sql`
      select bool_and(pg_terminate_backend(pid)) as ended from pg_stat_activity
      where application_name = 'pointgate-listener'`,
  );
  await until(() => heard.size === 2);
  await news.close();
});
