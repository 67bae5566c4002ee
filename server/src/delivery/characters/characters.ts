import type { Character } from '@pointgate/contract/characters.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
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

/** A player's place in a game: what an order needs to know of whom it is for. */
export interface FoundCharacter {
  game: Game;
  server: CatalogueServer;
  role: GameRole;
  gameAccountId: string;
}

/** A player at a site: which game account that is, their session says. */
interface AtSite {
  accountId: string;
  siteId: string;
}

interface AtServer extends AtSite {
  gameId: string;
  serverId: string;
}

type FoundRoles = Omit<FoundCharacter, 'role'> & { roles: GameRole[] };

/** A game of the site. Another site's game is as unknown as one that does not exist. */
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

/** The character that is to get something. A game in maintenance may not answer, so its server is looked at first. */
export async function findCharacterToTopUp(
  context: CharactersContext,
  place: AtServer & { roleId: string },
): Promise<FoundCharacter> {
  const found = await findServer(context, place);
  if (found.server.status === 1) throw new AppError('ServerMaintenance');
  return ownCharacter(await askRoles(context, found, place), place);
}

async function findServer(
  { sites, catalogue }: CharactersContext,
  place: AtServer,
): Promise<Pick<FoundCharacter, 'game' | 'server'>> {
  const site = await knownSite(sites, place.siteId);
  if (!isSoldAt(site, place.gameId)) throw new AppError('ServerNotFound');
  const game = await catalogue.game(place.gameId);
  // Its row is set aside: it will be back.
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

/** Refuses a role that is not the player's own: the game's list decides, not the request. */
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

/** The character chosen last, with its server as it is now. */
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

/** Where that character is, and no words about it. */
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
  // A role of another game account of theirs could not be topped up.
  const { game_account_id: chosenFor } = choice;
  const { gameId, ...player } = key;
  const now = await findGameAccount(db, { ...player, gameIds: [gameId] });
  if (chosenFor !== null && chosenFor !== now) return null;
  const server = await catalogue.server({ gameId, serverId: choice.server_id });
  return server === undefined ? null : { choice, server };
}
