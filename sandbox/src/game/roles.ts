import { createHash } from 'node:crypto';
import { json, listOf, object } from '../platform/shape.ts';
import { demoRoles } from './demo-roles.ts';
import type { Game } from './game.ts';
import { type Role, role } from './role.ts';

type Place = { gameAccountId: string; serverId: string };

/**
 * The roles of a game account on a server: those that were set, those of the demo, or generated
 * ones.
 */
export function rolesAt(game: Game, place: Place & { gameId: string }): Role[] {
  const set = game.db.one(
    object({ roles: json(listOf(role)) }),
    // Roles set for this game take precedence.
    `select roles from roles_by_game
     where game_account_id = ? and server_id = ? and game_id in (?, '') order by game_id desc limit 1`,
    place.gameAccountId,
    place.serverId,
    place.gameId,
  );
  return set?.roles ?? usualRolesAt(place);
}

/** The game whose roles are set; without it, all games without roles of their own. */
export function setRoles(
  game: Game,
  place: Place & { gameId: string | undefined },
  roles: readonly Role[],
): void {
  game.db.transaction(() => {
    game.db.run(
      `insert or replace into roles_by_game (game_id, game_account_id, server_id, roles)
       values (?, ?, ?, ?)`,
      place.gameId ?? '',
      place.gameAccountId,
      place.serverId,
      JSON.stringify(roles),
    );
  });
}

/** Generated from a hash, so that an account has the same roles in every run. */
function usualRolesAt({ gameAccountId, serverId }: Place): Role[] {
  if (serverId === emptyServer) return [];
  const known = demoRoles.get(gameAccountId);
  if (known !== undefined) return [...(known[serverId] ?? [])];
  const hash = createHash('sha256').update(`${gameAccountId}@${serverId}`).digest();
  return [
    {
      roleId: `r_${hash.toString('hex', 0, 6)}`,
      name: `Traveller ${1000 + (hash.readUInt32BE(8) % 9000)}`,
      level: 1 + (hash.readUInt32BE(12) % 80),
    },
  ];
}

/** A server without any roles. */
const emptyServer = 's3';
