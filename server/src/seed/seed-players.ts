import { accountTypes } from '@pointgate/contract/accounts.ts';
import {
  accountOfKey,
  addIdentity,
  bindGameAccount,
  createAccount,
  findAccount,
} from '../people/accounts/accounts.ts';
import type { openIdentityKeys } from '../people/accounts/identity-keys.ts';
import { hashPassword } from '../people/accounts/passwords.ts';
import {
  type PeopleContext,
  RealNameImport,
  writePerson,
} from '../people/real-names/real-names.ts';
import type { Db } from '../platform/db.ts';
import { demoGames } from './demo-games.ts';
import { demoPlayers, demoRealNames } from './demo-players.ts';

interface SeedPlayersContext {
  db: Db;
  identityKeyOf: ReturnType<typeof openIdentityKeys>;
  people: PeopleContext;
  /** By login name: the subject of the player at identity providers. */
  identities: Readonly<Record<string, Partial<Record<(typeof accountTypes)[number], string>>>>;
}

/** Creates the demo players with an account in every game. Existing players are left alone. */
export async function seedPlayers(context: SeedPlayersContext): Promise<void> {
  for (const player of demoPlayers) await seedPlayer(context, player);
}

async function seedPlayer(
  { db, identityKeyOf, people, identities }: SeedPlayersContext,
  player: (typeof demoPlayers)[number],
): Promise<void> {
  const known = await findAccount(db, player);
  const passwordHash = await hashPassword(player.password);
  await db.transaction(async (tx) => {
    const accountId = known ?? (await createAccount(tx, { ...player, passwordHash }));
    const elsewhere = identities[player.loginName] ?? {};
    const ways = { ...elsewhere, EMAIL: player.email, MOBILE: player.phone };
    for (const accountType of accountTypes) {
      const subject = ways[accountType];
      if (subject === undefined) continue;
      const key = identityKeyOf({ accountType, subject });
      if ((await accountOfKey(tx, key)) !== undefined) continue;
      const isTyped = accountType === 'EMAIL' || accountType === 'MOBILE';
      await addIdentity(tx, { accountId, key, passwordHash: isTyped ? passwordHash : null });
    }
    for (const { id: gameId, playerPrefix } of demoGames) {
      const gameAccountId = `${playerPrefix}_${player.loginName}`;
      await bindGameAccount(tx, { accountId, gameId, gameAccountId });
    }
    const realName = demoRealNames[player.loginName];
    if (known === undefined && realName !== undefined && people.cipher !== null) {
      const data = RealNameImport.parse(realName);
      await writePerson(tx, people, { accountId, data, by: 'seed' });
    }
  });
}
