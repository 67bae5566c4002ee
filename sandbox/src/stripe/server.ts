import type { FastifyInstance } from 'fastify';
import { originOf } from '../platform/program.ts';
import { createProviderServer, registerApart, workWhileOpen } from '../platform/provider-server.ts';
import { registerApiRoutes } from './api.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { serverError } from './failure.ts';
import { registerPayRoutes } from './pay.routes.ts';
import { expireDueSessions } from './payments.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** A payment provider that the unmodified Stripe SDK accepts. */
export function createStripeServer(settings: StartSettings): FastifyInstance {
  const app = createProviderServer({ broken: () => serverError, bodyMaxBytes: 16 * 1024 * 1024 });
  const provider = createProvider(settings, () => settings.publicUrl ?? originOf(app));
  registerApiRoutes(app, provider);
  registerApart(app, (scope) => registerPayRoutes(scope, provider));
  registerApart(app, (scope) => registerControlRoutes(scope, provider));

  workWhileOpen(app, provider, {
    sender: startWebhookSender(provider),
    endDue: () => expireDueSessions(provider),
    finish: () => Promise.all(provider.filesInWork.values()),
  });
  return app;
}
