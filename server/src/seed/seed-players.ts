import { accountTypes } from '@pointgate/contract/accounts.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { z } from 'zod';
import {
  accountOfKey,
  addIdentity,
  createAccount,
  findAccount,
} from '../people/accounts/accounts.ts';
import { bindGameAccount } from '../people/accounts/game-accounts.ts';
import type { openIdentityKeys } from '../people/accounts/identity-keys.ts';
import { hashPassword } from '../people/accounts/passwords.ts';
import {
  type PeopleContext,
  RealNameImport,
  writePerson,
} from '../people/real-names/real-names.ts';
import type { Db } from '../platform/db.ts';
import type { ShopFiles } from './shop-files.ts';

const Player = z.strictObject({
  loginName: z.string(),
  email: z.email(),
  phone: z.e164(),
  password: z.string(),
  displayName: z.string(),
  gameAccounts: z.array(z.strictObject({ gameId: Slug, gameAccountId: z.string() })),
  /** The templates of which the player gets a coupon. */
  coupons: z.array(Slug),
  realName: RealNameImport.optional(),
});
export type Player = z.output<typeof Player>;

export function readPlayers(files: ShopFiles): Player[] {
  return files.json(z.array(Player), 'players.json');
}

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
  players: readonly Player[],
): Promise<void> {
  for (const player of players) await seedPlayer(context, player);
}

async function seedPlayer(
  { db, identityKeyOf, people, identities }: SeedPlayersContext,
  player: Player,
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
