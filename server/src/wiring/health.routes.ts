import fastify, { type FastifyInstance } from 'fastify';
import type { Db } from '../platform/db.ts';
import type { Live } from '../platform/live.ts';
import type { Config } from './settings.ts';
import { selectJobEngine } from './start.queries.ts';
import { missingMigrations } from './start.ts';

interface Checked {
  config: Config;
  db: Db;
  live: Live;
  stopping: { isStopping: boolean };
}

/**
 * Whether a process is ready for requests, and what prevents it. Without Redis it is ready, only
 * slower.
 */
async function readinessOf({ config, db, live, stopping }: Checked) {
  const outcomeOf = (asked: Promise<string | undefined>) =>
    asked.then(
      (complaint) => complaint ?? 'ok',
      () => 'does not answer',
    );
  const [database, jobs] = await Promise.all([
    outcomeOf(missingMigrations(db)),
    outcomeOf(selectJobEngine(db).then((isThere) => (isThere ? undefined : 'is not installed'))),
  ]);
  const redis =
    config.REDIS_URL === undefined ? 'not used' : live.hearsOthers() ? 'ok' : 'does not answer';
  const isReady = !stopping.isStopping && database === 'ok' && jobs === 'ok';
  return { isReady, isStopping: stopping.isStopping, database, jobs, redis };
}

/** Health checks for orchestrators and load balancers. */
export function registerHealthRoutes(app: FastifyInstance, shop: Checked): void {
  for (const path of ['/health', '/health/live']) {
    app.get(path, async (_request, reply) =>
      reply.header('cache-control', 'no-store').send({ ok: true }),
    );
  }
  app.get('/health/ready', async (_request, reply) => {
    const readiness = await readinessOf(shop);
    return reply
      .status(readiness.isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(readiness);
  });
}

/** The only HTTP routes of the worker. */
export function createHealthServer(shop: Checked): FastifyInstance {
  const app = fastify({ logger: false });
  registerHealthRoutes(app, shop);
  return app;
}
