import { generateKeyPairSync } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { originOf } from '../platform/program.ts';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerApiRoutes } from './api.routes.ts';
import { registerCashierRoutes } from './cashier.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { systemError } from './failure.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** A payment provider that the unmodified SDK takes for WeChat Pay. */
export function createWechatpayServer(settings: StartSettings): FastifyInstance {
  const app = fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    bodyLimit: 1024 * 1024,
  });
  const provider = createProvider(settings, {
    publicUrl: () => settings.publicUrl ?? originOf(app),
    stranger: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  });
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send(systemError);
  });
  registerApiRoutes(app, provider);
  app.register(async (scope) => registerCashierRoutes(scope, provider));
  app.register(async (scope) => registerControlRoutes(scope, provider));

  const sender = startWebhookSender(provider);
  app.addHook('preClose', async () => provider.ending.abort());
  app.addHook('onClose', async () => {
    await sender.stop();
    provider.db.close();
  });
  return app;
}
