import type { FastifyInstance } from 'fastify';
import { originOf } from '../platform/program.ts';
import { createProviderServer, registerApart, workWhileOpen } from '../platform/provider-server.ts';
import { registerApiRoutes } from './api.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { internalError } from './failure.ts';
import { registerPayRoutes } from './pay.routes.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** A payment provider that the unmodified SDK takes for Adyen. */
export function createAdyenServer(settings: StartSettings): FastifyInstance {
  const app = createProviderServer({ broken: () => internalError });
  const publicUrl = () => settings.publicUrl ?? originOf(app);
  const provider = createProvider(settings, publicUrl);
  registerApiRoutes(app, provider);
  registerApart(app, (scope) => registerPayRoutes(scope, provider));
  registerApart(app, (scope) => registerControlRoutes(scope, provider));

  workWhileOpen(app, provider, { sender: startWebhookSender(provider) });
  return app;
}
