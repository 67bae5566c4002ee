import { type FastifyInstance, fastify } from 'fastify';
import { keepBodiesAsText } from '../platform/requests.ts';
import { createCarrier, type TencentAccount, type TwilioAccount } from './carrier.ts';
import { registerControlRoutes } from './control.routes.ts';
import { registerTencentRoutes } from './tencent.routes.ts';
import { registerTwilioRoutes } from './twilio.routes.ts';

/** Two SMS providers on one port; their API paths do not overlap. */
export function createSmsServer(input: {
  tencent: TencentAccount;
  twilio: TwilioAccount;
  dataFile: string | undefined;
}): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  const carrier = createCarrier(input);
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send({ error: 'internal' });
  });
  registerTencentRoutes(app, carrier);
  registerTwilioRoutes(app, carrier);
  app.register(async (scope) => registerControlRoutes(scope, carrier));
  app.addHook('preClose', async () => carrier.ending.abort());
  app.addHook('onClose', async () => carrier.db.close());
  return app;
}
