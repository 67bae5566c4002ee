import { accountTypes } from '@pointgate/contract/accounts.ts';
import { locales } from '@pointgate/contract/locales.ts';
import { addIdentity, bindGameAccount, createAccount, findAccount } from './accounts/accounts.ts';
import { hashPassword } from './accounts/passwords.ts';
import { readSeedConfig } from './config.ts';
import { openDb } from './platform/db.ts';
import { sayReady } from './process.ts';
import { demoGame, demoPlayers } from './seed/demo-catalogue.ts';
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
for (const player of demoPlayers) {
  if ((await findAccount(db, player)) !== undefined) continue;
  const passwordHash = await hashPassword(player.password);
  await db.transaction(async (tx) => {
    const accountId = await createAccount(tx, { ...player, passwordHash });
    const { email, phone } = player;
    await addIdentity(tx, { accountId, accountType: 'EMAIL', subject: email, passwordHash });
    await addIdentity(tx, { accountId, accountType: 'MOBILE', subject: phone, passwordHash });
    const elsewhere = config.DEMO_IDENTITIES[player.loginName] ?? {};
    for (const accountType of accountTypes) {
      const subject = elsewhere[accountType];
      if (subject !== undefined) {
        await addIdentity(tx, { accountId, accountType, subject, passwordHash: null });
      }
    }
    await bindGameAccount(tx, {
      accountId,
      gameId: demoGame.id,
      gameAccountId: player.gameAccountId,
    });
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
