import { openCodeHash } from './checkout/redeem/code-text.ts';
import { readShopFolder } from './documents/documents.ts';
import { lineOf } from './documents/places.ts';
import { seedCodes } from './documents/seed/seed-codes.ts';
import { seedCoupons } from './documents/seed/seed-coupons.ts';
import { seedNews } from './documents/seed/seed-news.ts';
import { seedPlayers } from './documents/seed/seed-players.ts';
import { addressOf, seedShop } from './documents/seed/seed-shop.ts';
import { openIdentityKeys } from './people/accounts/identity-keys.ts';
import { openPeople } from './people/real-names/real-names.ts';
import { openDb } from './platform/db.ts';
import { checkStage } from './platform/installation.ts';
import { openSites } from './publisher/sites/sites.ts';
import { readSeedConfig } from './wiring/config.ts';
import { sayReady } from './wiring/process.ts';

const config = readSeedConfig();
const now = new Date();
const { shop, demo, complaints } = readShopFolder(config.SHOP_DIR, now);
if (complaints.length > 0) throw new Error(complaints.map(lineOf).join('\n'));
const { players, codes } = demo;
const db = openDb({
  url: config.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'pointgate-seed',
});

await checkStage(db, 'development');
await db.transaction((tx) =>
  seedShop(tx, shop, {
    portalUrl: config.PORTAL_URL,
    gameUrl: config.GAME_URL,
    wechatAppId: config.WECHAT_APP_ID,
    crmUrl: config.CRM_URL,
    playUrl: config.PLAY_URL,
  }),
);
for (const site of shop.sites) await seedNews(db, site, now);
const people = openPeople({ keys: config.PERSON_KEYS, indexKey: config.PERSON_INDEX_KEY });
const identityKeyOf = openIdentityKeys(config.IDENTITY_INDEX_KEY);
await seedPlayers({ db, identityKeyOf, people, identities: config.DEMO_IDENTITIES }, players);
const sites = openSites(db);
await seedCoupons({ db, sites }, shop, players);
if (config.REDEEM_CODE_KEY !== undefined) {
  await seedCodes({ db, sites, hashOf: openCodeHash(config.REDEEM_CODE_KEY) }, codes);
}
await db.close();
sayReady('seed', {
  sites: shop.sites.map((site) => ({
    siteId: site.id,
    title: site.value.title,
    url: addressOf(site.value, config.PORTAL_URL),
  })),
  players: players.map(({ loginName, email, phone, password, displayName }) => ({
    loginName,
    email,
    phone,
    password,
    displayName,
  })),
});
