import { once } from 'node:events';
import { createServer } from 'node:https';
import { type FastifyInstance, fastify } from 'fastify';
import { originOf } from '../platform/program.ts';
import { keepBodiesAsText } from '../platform/requests.ts';
import { registerApiRoutes } from './api.routes.ts';
import { openCertificates } from './certificates.ts';
import { registerControlRoutes } from './control.routes.ts';
import { missing, serverError } from './failure.ts';
import { endDueOrders } from './orders.ts';
import { registerPayRoutes } from './pay.routes.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** How often orders that nobody looks at are checked for being over. */
const endEveryMs = 250;

type ServerSettings = StartSettings & {
  tlsPort: number;
  tlsHost: string;
  /** Where certificates are kept; with none they are new with each start. */
  tlsFolder: string | undefined;
  /** What such a folder holds of them, for whoever has no folder to give. */
  tlsCertificates?: string | undefined;
};

/**
 * A payment provider that the unmodified PayPal SDK accepts. Payers and tests find it on a plain
 * port; its API is behind TLS on another, under the provider's own host name.
 */
export async function createPaypalServer(settings: ServerSettings): Promise<FastifyInstance> {
  const app = fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    bodyLimit: 16 * 1024 * 1024,
  });
  const certificates = await openCertificates(settings.tlsFolder, settings.tlsCertificates);
  const provider = createProvider(
    settings,
    certificates,
    () => settings.publicUrl ?? originOf(app),
  );
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send(serverError());
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(missing().body));
  app.register(async (scope) => registerApiRoutes(scope, provider));
  app.register(async (scope) => registerPayRoutes(scope, provider));

  const { certificate: cert, key } = certificates.tls;
  const secure = createServer({ cert, key }, (request, response) => app.routing(request, response));
  app.register(async (scope) => registerControlRoutes(scope, provider, () => portOf(secure)));
  app.addHook('onReady', async () => {
    secure.listen(settings.tlsPort, settings.tlsHost);
    await once(secure, 'listening');
  });

  const sender = startWebhookSender(provider);
  const timer = setInterval(() => endDueOrders(provider), endEveryMs);
  app.addHook('preClose', async () => {
    provider.ending.abort();
    secure.close();
    secure.closeAllConnections();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await sender.stop();
    provider.db.close();
  });
  return app;
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
