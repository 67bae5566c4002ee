import { accountTypes } from '@pointgate/contract/accounts.ts';
import {
  accountOfKey,
  addIdentity,
  createAccount,
  findAccount,
} from '../../people/accounts/accounts.ts';
import { bindGameAccount } from '../../people/accounts/game-accounts.ts';
import type { openIdentityKeys } from '../../people/accounts/identity-keys.ts';
import { hashPassword } from '../../people/accounts/passwords.ts';
import { type PeopleContext, writePerson } from '../../people/real-names/real-names.ts';
import type { Db } from '../../platform/db.ts';
import type { DemoPlayer } from '../demo-documents.ts';

interface SeedPlayersContext {
  db: Db;
  identityKeyOf: ReturnType<typeof openIdentityKeys>;
  people: PeopleContext;
  /** By login name: the subject of the player at identity providers. */
  identities: Readonly<Record<string, Partial<Record<(typeof accountTypes)[number], string>>>>;
}

/** Creates players with their accounts in games. Existing players are left alone. */
export async function seedPlayers(
  context: SeedPlayersContext,
  players: readonly DemoPlayer[],
): Promise<void> {
  for (const player of players) await seedPlayer(context, player);
}

async function seedPlayer(
  { db, identityKeyOf, people, identities }: SeedPlayersContext,
  player: DemoPlayer,
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
    for (const account of player.gameAccounts) {
      if (await bindGameAccount(tx, { accountId, ...account })) continue;
      throw new Error(`another account owns ${account.gameId} ${account.gameAccountId}`);
    }
    const { realName } = player;
    if (known === undefined && realName !== undefined && people.cipher !== null) {
      await writePerson(tx, people, { accountId, data: realName, by: 'seed' });
    }
  });
}
