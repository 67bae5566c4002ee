import { openCodeHash } from './checkout/redeem/code-text.ts';
import { openIdentityKeys } from './people/accounts/identity-keys.ts';
import { openPeople } from './people/real-names/real-names.ts';
import { openDb } from './platform/db.ts';
import { openSites } from './publisher/sites/sites.ts';
import { demoSites } from './seed/demo-catalogue.ts';
import { demoPlayers } from './seed/demo-players.ts';
import { seedCodes } from './seed/seed-codes.ts';
import { seedCoupons } from './seed/seed-coupons.ts';
import { seedNews } from './seed/seed-news.ts';
import { seedPlayers } from './seed/seed-players.ts';
import { addressOf, seedShop } from './seed/seed-shop.ts';
import { readSeedConfig } from './wiring/config.ts';
import { sayReady } from './wiring/process.ts';

const config = readSeedConfig();
const db = openDb({
  url: config.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'pointgate-seed',
});

const now = new Date();
await db.transaction((tx) =>
  seedShop(tx, {
    portalUrl: config.PORTAL_URL,
    gameUrl: config.GAME_URL,
    wechatAppId: config.WECHAT_APP_ID,
    crmUrl: config.CRM_URL,
    playUrl: config.PLAY_URL,
    now,
  }),
);
for (const { id } of demoSites) await seedNews(db, id, now);
await seedPlayers({
  db,
  identityKeyOf: openIdentityKeys(config.IDENTITY_INDEX_KEY),
  people: openPeople({ keys: config.PERSON_KEYS, indexKey: config.PERSON_INDEX_KEY }),
  identities: config.DEMO_IDENTITIES,
});
await seedCoupons(db, openSites(db));
if (config.REDEEM_CODE_KEY !== undefined) {
  const hashOf = openCodeHash(config.REDEEM_CODE_KEY);
  await seedCodes({ db, sites: openSites(db), hashOf }, now);
}
await db.close();
sayReady('seed', {
  sites: demoSites.map((site) => ({
    siteId: site.id,
    title: site.title,
    url: addressOf(site, config.PORTAL_URL),
  })),
  players: demoPlayers.map(({ loginName, email, phone, password, displayName }) => ({
    loginName,
    email,
    phone,
    password,
    displayName,
  })),
});
