import {
  gameInfo,
  roleList,
  selectCharacter as selectCharacterCall,
  serverList,
} from '@pointgate/contract/characters.ts';
import type { FastifyInstance } from 'fastify';
import { toServer } from '../catalogue/catalogue.ts';
import { AppError } from '../platform/errors.ts';
import { playerRoute } from '../platform/http.ts';
import { textIn } from '../platform/local-text.ts';
import { type CharactersContext, lastCharacter, rolesOn, selectCharacter } from './characters.ts';

export function registerCharacterRoutes(app: FastifyInstance, context: CharactersContext): void {
  playerRoute(app, serverList, async ({ body, locale }) => {
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
    const game = await context.catalogue.game(body.gameId);
    if (game === undefined) throw new AppError('NotFound');
    const key = { ...body, ...player };
    return {
      gameId: game.gameId,
      name: textIn(game.name, locale),
      subtitle: textIn(game.subtitle, locale),
      character: await lastCharacter(context, key, locale),
    };
  });
}
