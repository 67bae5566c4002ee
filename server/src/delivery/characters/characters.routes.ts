import {
  gameInfo,
  roleList,
  selectCharacter as selectCharacterCall,
  serverList,
} from '@pointgate/contract/characters.ts';
import type { FastifyInstance } from 'fastify';
import { toServer } from '../../catalogue/catalogue.ts';
import { AppError } from '../../platform/errors.ts';
import { playerRoute } from '../../platform/http.ts';
import { textIn } from '../../platform/local-text.ts';
import {
  type CharactersContext,
  findGame,
  lastCharacter,
  rolesOn,
  selectCharacter,
} from './characters.ts';

export function registerCharacterRoutes(app: FastifyInstance, context: CharactersContext): void {
  const requireGame = async (key: { siteId: string; gameId: string }) => {
    const game = await findGame(context, key);
    if (game === undefined) throw new AppError('NotFound');
    return game;
  };

  playerRoute(app, serverList, async ({ body, player, locale }) => {
    await requireGame({ ...body, ...player });
    const servers = await context.catalogue.servers(body);
    return { servers: servers.map((server) => toServer(server, locale)) };
  });

  playerRoute(app, roleList, async ({ body, player }) => {
    const { roles } = await rolesOn(context, { ...body, ...player });
    return { roles };
  });

  playerRoute(app, selectCharacterCall, ({ body, player, locale }) =>
    selectCharacter(context, { ...body, ...player }, locale),
  );

  playerRoute(app, gameInfo, async ({ body, player, locale }) => {
    const key = { ...body, ...player };
    const game = await requireGame(key);
    return {
      gameId: game.gameId,
      name: textIn(game.name, locale),
      subtitle: textIn(game.subtitle, locale),
      character: await lastCharacter(context, key, locale),
    };
  });
}
