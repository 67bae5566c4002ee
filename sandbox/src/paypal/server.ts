import { once } from 'node:events';
import { createServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../platform/program.ts';
import { createProviderServer, registerApart, workWhileOpen } from '../platform/provider-server.ts';
import { registerApiRoutes } from './api.routes.ts';
import { openCertificates } from './certificates.ts';
import { registerControlRoutes } from './control.routes.ts';
import { missing, serverError } from './failure.ts';
import { registerPayRoutes } from './pay.routes.ts';
import { endDueOrders } from './payments.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

type ServerSettings = StartSettings & {
  tlsPort: number;
  tlsHost: string;
  /** The folder of the certificates; without it each start creates new ones. */
  tlsFolder: string | undefined;
  /** The content of such a folder, for callers without a file system. */
  tlsCertificates?: string | undefined;
};

/**
 * A payment provider that the unmodified PayPal SDK accepts. Payers and tests reach it on a plain
 * HTTP port; its API is served over TLS on another port, under the provider's own host name.
 */
export async function createPaypalServer(settings: ServerSettings): Promise<FastifyInstance> {
  const app = createProviderServer({ broken: serverError, bodyMaxBytes: 16 * 1024 * 1024 });
  const certificates = await openCertificates(settings.tlsFolder, settings.tlsCertificates);
  const provider = createProvider(
    settings,
    certificates,
    () => settings.publicUrl ?? originOf(app),
  );
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(missing().body));
  registerApart(app, (scope) => registerApiRoutes(scope, provider));
  registerApart(app, (scope) => registerPayRoutes(scope, provider));

  const { certificate: cert, key } = certificates.tls;
  const secure = createServer({ cert, key }, (request, response) => app.routing(request, response));
  registerApart(app, (scope) => registerControlRoutes(scope, provider, () => portOf(secure)));
  app.addHook('onReady', async () => {
    secure.listen(settings.tlsPort, settings.tlsHost);
    await once(secure, 'listening');
  });

  workWhileOpen(app, provider, {
    sender: startWebhookSender(provider),
    endDue: () => endDueOrders(provider),
  });
  app.addHook('preClose', async () => {
    secure.close();
    secure.closeAllConnections();
  });
  return app;
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server is not listening on a port.');
  return address.port;
}
