import { generateKeyPairSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../platform/program.ts';
import { createProviderServer, registerApart, workWhileOpen } from '../platform/provider-server.ts';
import { registerApiRoutes } from './api.routes.ts';
import { registerControlRoutes } from './control.routes.ts';
import { systemError } from './failure.ts';
import { registerPayRoutes } from './pay.routes.ts';
import { createProvider, type StartSettings } from './provider.ts';
import { startWebhookSender } from './webhook-sender.ts';

/** A payment provider that the unmodified SDK takes for WeChat Pay. */
export function createWechatpayServer(settings: StartSettings): FastifyInstance {
  const app = createProviderServer({ broken: () => systemError });
  const provider = createProvider(settings, {
    publicUrl: () => settings.publicUrl ?? originOf(app),
    stranger: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  });
  registerApiRoutes(app, provider);
  registerApart(app, (scope) => registerPayRoutes(scope, provider));
  registerApart(app, (scope) => registerControlRoutes(scope, provider));

  workWhileOpen(app, provider, { sender: startWebhookSender(provider) });
  return app;
}
