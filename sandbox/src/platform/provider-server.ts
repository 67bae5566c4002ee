import { type FastifyInstance, fastify } from 'fastify';
import type { Database } from './database.ts';
import { keepBodiesAsText } from './requests.ts';

/** How often what nobody looks at is checked for being over. */
const endEveryMs = 250;

/** The server of a payment provider. `broken` is what it answers when the sandbox itself fails. */
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

/** Routes that explain their errors in their own way. */
export function registerApart(
  app: FastifyInstance,
  register: (scope: FastifyInstance) => void,
): void {
  app.register((scope, _options, done) => {
    register(scope);
    done();
  });
}

/** What a provider does by itself, for as long as its server is open. */
export function workWhileOpen(
  app: FastifyInstance,
  provider: { db: Database; ending: AbortController },
  work: {
    sender: { stop: () => Promise<void> };
    /** Ends what is over by itself. */
    endDue?: () => void;
    /** Waits for what is still being written. */
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
