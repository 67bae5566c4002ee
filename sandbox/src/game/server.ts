import { type FastifyInstance, fastify } from 'fastify';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerCallRoutes } from './call.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { createGame } from './game.ts';

/** A game server that answers the signed calls of the shop. */
export function createGameServer(input: {
  secrets: readonly string[];
  dataFile: string | undefined;
}): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  const game = createGame(input);
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send({ error: 'internal' });
  });
  registerCallRoutes(app, game);
  app.register(async (scope) => registerControlRoutes(scope, game));
  app.addHook('preClose', async () => game.ending.abort());
  app.addHook('onClose', async () => game.db.close());
  return app;
}
