import { type FastifyInstance, fastify } from 'fastify';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerControlRoutes } from './control.routes.ts';
import { registerFacebookRoutes } from './facebook.routes.ts';
import { registerOidcRoutes } from './oidc.routes.ts';
import { registerWechatRoutes } from './wechat.routes.ts';
import { type Clients, createWorld } from './world.ts';

/** The sign-in providers: OpenID issuers, Facebook and WeChat. */
export function createIdentityServer(input: {
  clients: Clients;
  returnAddresses: readonly string[];
}): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  const world = createWorld(input);
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send({ error: 'internal' });
  });
  registerOidcRoutes(app, world);
  registerFacebookRoutes(app, world);
  registerWechatRoutes(app, world);
  app.register(async (scope) => registerControlRoutes(scope, world));
  app.addHook('preClose', async () => world.ending.abort());
  return app;
}
