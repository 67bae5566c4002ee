import { type FastifyInstance, fastify } from 'fastify';
import { originOf } from '../platform/program.ts';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerApiRoutes } from './api.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { internalError } from './failure.ts';
import { registerPayRoutes } from './pay.routes.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** A payment provider that the unmodified SDK takes for Adyen. */
export function createAdyenServer(settings: StartSettings): FastifyInstance {
  const app = fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    bodyLimit: 1024 * 1024,
  });
  const publicUrl = () => settings.publicUrl ?? originOf(app);
  const provider = createProvider(settings, publicUrl);
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send(internalError);
  });
  registerApiRoutes(app, provider);
  app.register(async (scope) => registerPayRoutes(scope, provider));
  app.register(async (scope) => registerControlRoutes(scope, provider));

  const sender = startWebhookSender(provider);
  app.addHook('preClose', async () => provider.ending.abort());
  app.addHook('onClose', async () => {
    await sender.stop();
    provider.db.close();
  });
  return app;
}
