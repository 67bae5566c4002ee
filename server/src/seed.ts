import { openCodeHash } from './checkout/redeem/code-text.ts';
import { openIdentityKeys } from './people/accounts/identity-keys.ts';
import { openPeople } from './people/real-names/real-names.ts';
import { openDb } from './platform/db.ts';
import { checkStage } from './platform/installation.ts';
import { openSites } from './publisher/sites/sites.ts';
import { seedCodes } from './seed/seed-codes.ts';
import { seedCoupons } from './seed/seed-coupons.ts';
import { seedNews } from './seed/seed-news.ts';
import { readPlayers, seedPlayers } from './seed/seed-players.ts';
import { addressOf, seedShop } from './seed/seed-shop.ts';
import { readSites } from './seed/shop-documents.ts';
import { openShopFiles } from './seed/shop-files.ts';
import { readSeedConfig } from './wiring/config.ts';
import { sayReady } from './wiring/process.ts';

const config = readSeedConfig();
const files = openShopFiles(config.SHOP_DIR, new Date());
const shopSites = readSites(files);
const players = readPlayers(files);
const db = openDb({
  url: config.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'pointgate-seed',
});

await checkStage(db, 'development');
await db.transaction((tx) =>
  seedShop(tx, files, {
    portalUrl: config.PORTAL_URL,
    gameUrl: config.GAME_URL,
    wechatAppId: config.WECHAT_APP_ID,
    crmUrl: config.CRM_URL,
    playUrl: config.PLAY_URL,
  }),
);
for (const site of shopSites) await seedNews(db, files, site);
const people = openPeople({ keys: config.PERSON_KEYS, indexKey: config.PERSON_INDEX_KEY });
const identityKeyOf = openIdentityKeys(config.IDENTITY_INDEX_KEY);
await seedPlayers({ db, identityKeyOf, people, identities: config.DEMO_IDENTITIES }, players);
const sites = openSites(db);
await seedCoupons({ db, sites }, files, players);
if (config.REDEEM_CODE_KEY !== undefined) {
  await seedCodes({ db, sites, hashOf: openCodeHash(config.REDEEM_CODE_KEY) }, files);
}
await db.close();
sayReady('seed', {
  sites: shopSites.map((site) => ({
    siteId: site.id,
    title: site.title,
    url: addressOf(site, config.PORTAL_URL),
  })),
  players: players.map(({ loginName, email, phone, password, displayName }) => ({
    loginName,
    email,
    phone,
    password,
    displayName,
  })),
});
