import { type FastifyInstance, fastify } from 'fastify';
import { originOf } from '../platform/program.ts';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerApiRoutes } from './api.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { serverError } from './failure.ts';
import { registerPayRoutes } from './pay.routes.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { expireDueSessions } from './sessions.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** How often sessions that nobody looks at are checked for being over. */
const expireEveryMs = 250;

/** A payment provider that the unmodified Stripe SDK accepts. */
export function createStripeServer(settings: StartSettings): FastifyInstance {
  const app = fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    bodyLimit: 16 * 1024 * 1024,
  });
  const provider = createProvider(settings, () => settings.publicUrl ?? originOf(app));
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send(serverError);
  });
  registerApiRoutes(app, provider);
  app.register(async (scope) => registerPayRoutes(scope, provider));
  app.register(async (scope) => registerControlRoutes(scope, provider));

  const sender = startWebhookSender(provider);
  const timer = setInterval(() => expireDueSessions(provider), expireEveryMs);
  app.addHook('preClose', async () => provider.ending.abort());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await sender.stop();
    await Promise.all(provider.filesInWork.values());
    provider.db.close();
  });
  return app;
}
