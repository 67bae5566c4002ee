import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { serverStatus } from './named-numbers.ts';
import { ForeignId, Slug, System } from './names.ts';

export const ServerStatus = z.union([
  z.literal(serverStatus.open),
  z.literal(serverStatus.maintenance),
]);

export const GameServer = z.strictObject({
  serverId: Slug,
  name: z.string(),
  region: z.string(),
  status: ServerStatus,
  /** The known end of the maintenance. */
  maintenanceUntil: z.nullable(z.iso.datetime()),
});
export type GameServer = z.output<typeof GameServer>;

export const Role = z.strictObject({ roleId: ForeignId, name: z.string(), level: z.int() });
export type Role = z.output<typeof Role>;

/** A character is a server and a role. */
export const Character = z.strictObject({ server: GameServer, role: Role });
export type Character = z.output<typeof Character>;

export const serverList = endpoint({
  method: 'POST',
  path: '/api/character/server/list',
  summary: 'The servers of a game that a system can play on',
  access: 'player',
  body: z.strictObject({ gameId: Slug, system: System }),
  reply: z.strictObject({ servers: z.array(GameServer) }),
  refusals: ['NotFound'],
});

export const roleList = endpoint({
  method: 'POST',
  path: '/api/character/role/list',
  summary: "The player's roles on a server, as the game knows them now",
  access: 'player',
  body: z.strictObject({ gameId: Slug, serverId: Slug }),
  reply: z.strictObject({ roles: z.array(Role) }),
  refusals: ['ServerNotFound', 'GameAccountNotFound', 'GameUnavailable', 'SignInThrottled'],
});

export const selectCharacter = endpoint({
  method: 'POST',
  path: '/api/character/info/select',
  summary: 'Remembers the character the player tops up',
  access: 'player',
  body: z.strictObject({ gameId: Slug, serverId: Slug, roleId: ForeignId }),
  reply: Character,
  refusals: [
    'ServerNotFound',
    'RoleNotFound',
    'GameAccountNotFound',
    'GameUnavailable',
    'SignInThrottled',
  ],
});

export const gameInfo = endpoint({
  method: 'POST',
  path: '/api/character/game/info',
  summary: 'The game and the character the player chose last',
  access: 'player',
  body: z.strictObject({ gameId: Slug }),
  reply: z.strictObject({
    gameId: Slug,
    name: z.string(),
    subtitle: z.string(),
    character: z.nullable(Character),
  }),
  refusals: ['NotFound'],
});
