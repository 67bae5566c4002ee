import { generateKeyPairSync } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { originOf } from '../platform/program.ts';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerCashierRoutes } from './cashier.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { registerGatewayRoutes } from './gateway.routes.ts';
import { closeDueTrades } from './orders.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** How often trades that nobody looks at are checked for being over. */
const closeEveryMs = 250;

/** A payment provider that the unmodified SDK takes for Alipay. */
export function createAlipayServer(settings: StartSettings): FastifyInstance {
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
    return reply.code(500).send('Internal Server Error');
  });
  registerGatewayRoutes(app, provider);
  app.register(async (scope) => registerCashierRoutes(scope, provider));
  app.register(async (scope) => registerControlRoutes(scope, provider));

  const sender = startWebhookSender(provider);
  const timer = setInterval(() => closeDueTrades(provider), closeEveryMs);
  app.addHook('preClose', async () => provider.ending.abort());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await sender.stop();
    provider.db.close();
  });
  return app;
}
