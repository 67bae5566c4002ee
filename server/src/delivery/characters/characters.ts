import type { Character } from '@pointgate/contract/characters.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import {
  type Catalogue,
  type CatalogueServer,
  type Game,
  toServer,
} from '../../catalogue/catalogue.ts';
import { findGameAccount, gameAccountOf } from '../../people/accounts/accounts.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { PlayerBounds } from '../../platform/player-bounds.ts';
import type { GameRole, Games } from '../../publisher/games/games.ts';
import { isSoldAt, knownSite, type Sites } from '../../publisher/sites/sites.ts';
import { selectChoice, upsertChoice } from './characters.queries.ts';

export interface CharactersContext {
  db: Db;
  sites: Sites;
  catalogue: Catalogue;
  games: Games;
  bounds: PlayerBounds;
}

/** A player's role in a game, as an order needs it. */
export interface FoundCharacter {
  game: Game;
  server: CatalogueServer;
  role: GameRole;
  gameAccountId: string;
}

/** A player on a site; the game account follows from the session. */
interface AtSite {
  accountId: string;
  siteId: string;
}

interface AtServer extends AtSite {
  gameId: string;
  serverId: string;
}

type FoundRoles = Omit<FoundCharacter, 'role'> & { roles: GameRole[] };

/** Finds a game of the site. Games of other sites are treated like unknown games. */
export async function findGame(
  { sites, catalogue }: Pick<CharactersContext, 'sites' | 'catalogue'>,
  { siteId, gameId }: { siteId: string; gameId: string },
): Promise<Game | undefined> {
  const site = await knownSite(sites, siteId);
  return isSoldAt(site, gameId) ? await catalogue.game(gameId) : undefined;
}

/** The player's own roles on a server, asked from the game. */
export async function rolesOn(context: CharactersContext, place: AtServer): Promise<FoundRoles> {
  return await askRoles(context, await findServer(context, place), place);
}

/**
 * Finds the character that an order is for. Checks the server first, because a game in maintenance
 * may not answer.
 */
export async function findCharacterToTopUp(
  context: CharactersContext,
  place: AtServer & { roleId: string },
): Promise<FoundCharacter> {
  const found = await findServer(context, place);
  if (found.server.status === serverStatus.maintenance) throw new AppError('ServerMaintenance');
  return ownCharacter(await askRoles(context, found, place), place);
}

async function findServer(
  { sites, catalogue }: CharactersContext,
  place: AtServer,
): Promise<Pick<FoundCharacter, 'game' | 'server'>> {
  const site = await knownSite(sites, place.siteId);
  if (!isSoldAt(site, place.gameId)) throw new AppError('ServerNotFound');
  const game = await catalogue.game(place.gameId);
  // The catalogue skips the invalid row of the game; a sold game counts as temporarily unavailable.
  if (game === undefined) throw new AppError('GameUnavailable');
  const server = await catalogue.server(place);
  if (server === undefined) throw new AppError('ServerNotFound');
  return { game, server };
}

async function askRoles(
  { db, games, bounds }: CharactersContext,
  { game, server }: Pick<FoundCharacter, 'game' | 'server'>,
  place: AtServer,
): Promise<FoundRoles> {
  const gameAccountId = await gameAccountOf(db, place);
  await bounds.beforeGameCall(place.accountId);
  const answer = await games.rolesOf(game, { serverId: place.serverId, gameAccountId });
  if (answer.result === 'unknown') throw new AppError('GameUnavailable');
  return { game, server, gameAccountId, roles: answer.roles };
}

/** Refuses a role that the game does not list for the player. */
function ownCharacter({ roles, ...found }: FoundRoles, place: { roleId: string }): FoundCharacter {
  const role = roles.find(({ roleId }) => roleId === place.roleId);
  if (role === undefined) throw new AppError('RoleNotFound');
  return { ...found, role };
}

export async function selectCharacter(
  context: CharactersContext,
  place: AtServer & { roleId: string },
  locale: Locale,
): Promise<Character> {
  const { server, role, gameAccountId } = ownCharacter(await rolesOn(context, place), place);
  await context.db.transaction((tx) =>
    upsertChoice(tx, { ...place, gameAccountId, roleName: role.name, roleLevel: role.level }),
  );
  return { server: toServer(server, locale), role };
}

/** The last selected character, with the current state of its server. */
export async function lastCharacter(
  context: CharactersContext,
  key: AtSite & { gameId: string },
  locale: Locale,
): Promise<Character | null> {
  const found = await lastChoice(context, key);
  if (found === null) return null;
  const { choice, server } = found;
  const role = { roleId: choice.role_id, name: choice.role_name, level: choice.role_level };
  return { server: toServer(server, locale), role };
}

/** The server and role id of the last selected character, without texts. */
export async function chosenRole(
  context: CharactersContext,
  key: AtSite & { gameId: string },
): Promise<{ serverId: string; roleId: string } | null> {
  const found = await lastChoice(context, key);
  return found && { serverId: found.choice.server_id, roleId: found.choice.role_id };
}

async function lastChoice({ db, catalogue }: CharactersContext, key: AtSite & { gameId: string }) {
  const choice = await selectChoice(db, key);
  if (choice === undefined) return null;
  // A role of the player's other game account cannot be topped up in this session.
  const { game_account_id: chosenFor } = choice;
  const { gameId, ...player } = key;
  const now = await findGameAccount(db, { ...player, gameIds: [gameId] });
  if (chosenFor !== null && chosenFor !== now) return null;
  const server = await catalogue.server({ gameId, serverId: choice.server_id });
  return server === undefined ? null : { choice, server };
}
