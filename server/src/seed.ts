import { locales } from '@pointgate/contract/locales.ts';
import { bindGameAccount, createAccount, findAccount, hashPassword } from './accounts/accounts.ts';
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
  });
});
for (const player of demoPlayers) {
  if ((await findAccount(db, player)) !== undefined) continue;
  const passwordHash = await hashPassword(player.password);
  await db.transaction(async (tx) => {
    const accountId = await createAccount(tx, { ...player, passwordHash });
    await bindGameAccount(tx, {
      accountId,
      gameId: demoGame.id,
      gameAccountId: player.gameAccountId,
    });
  });
}
await db.close();
sayReady('seed', {
  players: demoPlayers.map(({ loginName, password, displayName }) => ({
    loginName,
    password,
    displayName,
  })),
});
