import { type FastifyInstance, fastify } from 'fastify';
import type { Database } from './database.ts';
import { keepBodiesAsText } from './requests.ts';

/** How often sessions and orders are checked for expiry. */
const endEveryMs = 250;

/** The server of a payment provider. `broken` is its answer to an internal error of the sandbox. */
export function createProviderServer(input: {
  bodyMaxBytes?: number;
  broken: () => unknown;
}): FastifyInstance {
  const app = fastify({
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    bodyLimit: input.bodyMaxBytes ?? 1024 * 1024,
  });
  keepBodiesAsText(app);
  app.setErrorHandler((error, _request, reply) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return reply.code(500).send(input.broken());
  });
  return app;
}

/** Routes with their own error handler. */
export function registerApart(
  app: FastifyInstance,
  register: (scope: FastifyInstance) => void,
): void {
  app.register((scope, _options, done) => {
    register(scope);
    done();
  });
}

/** The background work of a provider while its server is open. */
export function workWhileOpen(
  app: FastifyInstance,
  provider: { db: Database; ending: AbortController },
  work: {
    sender: { stop: () => Promise<void> };
    /** Expires sessions or orders that are due. */
    endDue?: () => void;
    /** Waits for files that are still being written. */
    finish?: () => Promise<unknown>;
  },
): void {
  const { sender, endDue, finish } = work;
  const timer = endDue === undefined ? undefined : setInterval(endDue, endEveryMs);
  app.addHook('preClose', async () => provider.ending.abort());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await sender.stop();
    await finish?.();
    provider.db.close();
  });
}
