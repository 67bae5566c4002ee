import { resolve } from 'node:path';
import { type Postgres, startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

export type Services = {
  databaseUrl: string;
  /** Null without Redis: it holds only what may be lost, and the shop runs without it. */
  redisUrl: string | null;
  /** Settles with a description when one of the servers ends before it was asked to. */
  failed: Promise<string>;
  /** SIGKILL to PostgreSQL, all of it. The data must be durable, and the server ours. */
  killDatabase: () => Promise<void>;
  /** Starts it again on the same data and port, and waits until it takes connections. */
  startDatabase: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Brings up PostgreSQL and Redis on free loopback ports. What DATABASE_URL or REDIS_URL names is used
 * as it is instead. They end with this process, even if it is killed. When not durable, the data is
 * deleted at the end, only the logs stay, and writing to disk is not waited for: for tests only.
 */
export async function startServices(options: {
  dataDir: string;
  durable: boolean;
  /** Whether to begin with an empty database instead of the one of last time. */
  fresh?: boolean;
}): Promise<Services> {
  const dataDir = resolve(options.dataDir);
  const givenDatabase = process.env.DATABASE_URL || undefined;
  const givenRedis = process.env.REDIS_URL || undefined;

  const [postgres, redis] = await Promise.allSettled([
    givenDatabase === undefined
      ? startPostgres({ dataDir, durable: options.durable, fresh: options.fresh ?? false })
      : undefined,
    givenRedis === undefined ? startRedis({ dataDir }) : undefined,
  ]);
  const running = [postgres, redis].flatMap((part) =>
    part.status === 'fulfilled' && part.value !== undefined ? [part.value] : [],
  );
  const stop = async () => {
    await Promise.all(running.map((service) => service.stop()));
  };
  for (const part of [postgres, redis]) {
    if (part.status === 'rejected') {
      await stop();
      throw part.reason;
    }
  }

  const redisUrl = givenRedis ?? (redis.status === 'fulfilled' ? redis.value?.url : undefined);
  const ownDatabase = postgres.status === 'fulfilled' ? postgres.value : undefined;
  const databaseUrl = givenDatabase ?? ownDatabase?.url;
  if (databaseUrl === undefined) throw new Error('PostgreSQL was neither given nor started.');
  if (redisUrl === undefined) {
    process.stderr.write(
      'Neither valkey-server nor redis-server is installed: going on without.\n',
    );
  }
  return {
    databaseUrl,
    redisUrl: redisUrl ?? null,
    failed: Promise.race(running.map((service) => service.failed)),
    killDatabase: async () => await ours(ownDatabase).kill(),
    startDatabase: async () => await ours(ownDatabase).start(),
    stop,
  };
}

function ours(database: Postgres | undefined): Postgres {
  if (database === undefined) throw new Error('DATABASE_URL names a server that is not ours.');
  return database;
}
