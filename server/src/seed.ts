import { accountTypes } from '@pointgate/contract/accounts.ts';
import { locales } from '@pointgate/contract/locales.ts';
import {
  accountOfKey,
  addIdentity,
  bindGameAccount,
  createAccount,
  findAccount,
} from './accounts/accounts.ts';
import { openIdentityKeys } from './accounts/identity-keys.ts';
import { hashPassword } from './accounts/passwords.ts';
import { readSeedConfig } from './config.ts';
import { openPeople, RealNameImport, writePerson } from './people/people.ts';
import { openDb } from './platform/db.ts';
import { sayReady } from './process.ts';
import { demoGame, demoPlayers, demoRealNames } from './seed/demo-catalogue.ts';
import { upsertGame, upsertItems, upsertPointPacks, upsertSite } from './seed/seed.queries.ts';

const config = readSeedConfig();
const db = openDb({
  url: config.DATABASE_URL,
  connectionsMax: 2,
  applicationName: 'pointgate-seed',
});

await db.transaction(async (tx) => {
  await upsertGame(tx, { apiUrl: config.GAME_URL });
  await upsertItems(tx);
  await upsertPointPacks(tx);
  await upsertSite(tx, {
    id: demoGame.id,
    portalUrl: config.PORTAL_URL,
    locales,
    hosts: ['localhost', '127.0.0.1', new URL(config.PORTAL_URL).hostname],
    wechatAppId: config.WECHAT_APP_ID,
  });
});
const identityKeyOf = openIdentityKeys(config.IDENTITY_INDEX_KEY);
const people = openPeople({ keys: config.PERSON_KEYS, indexKey: config.PERSON_INDEX_KEY });
for (const player of demoPlayers) {
  const known = await findAccount(db, player);
  const passwordHash = await hashPassword(player.password);
  await db.transaction(async (tx) => {
    const accountId = known ?? (await createAccount(tx, { ...player, passwordHash }));
    const elsewhere = config.DEMO_IDENTITIES[player.loginName] ?? {};
    const ways = { ...elsewhere, EMAIL: player.email, MOBILE: player.phone };
    for (const accountType of accountTypes) {
      const subject = ways[accountType];
      if (subject === undefined) continue;
      const key = identityKeyOf({ accountType, subject });
      if ((await accountOfKey(tx, key)) !== undefined) continue;
      const isTyped = accountType === 'EMAIL' || accountType === 'MOBILE';
      await addIdentity(tx, { accountId, key, passwordHash: isTyped ? passwordHash : null });
    }
    await bindGameAccount(tx, {
      accountId,
      gameId: demoGame.id,
      gameAccountId: player.gameAccountId,
    });
    const realName = demoRealNames[player.loginName];
    if (known === undefined && realName !== undefined && people.cipher !== null) {
      const data = RealNameImport.parse(realName);
      await writePerson(tx, people, { accountId, data, by: 'seed' });
    }
  });
}
await db.close();
sayReady('seed', {
  players: demoPlayers.map(({ loginName, email, phone, password, displayName }) => ({
    loginName,
    email,
    phone,
    password,
    displayName,
  })),
});
