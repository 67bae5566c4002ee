import { resolve } from 'node:path';
import { type Postgres, startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

export type Services = {
  databaseUrl: string;
  /** Null without Redis, which is optional because it only holds data that may be lost. */
  redisUrl: string | null;
  /** Settles with a description if a server exits unexpectedly. */
  failed: Promise<string>;
  /**
   * Sends SIGKILL to all processes of PostgreSQL. Requires durable data and a server that was
   * started here.
   */
  killDatabase: () => Promise<void>;
  /** Restarts it with the same data and port, and waits until it accepts connections. */
  startDatabase: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Starts PostgreSQL and Redis on free loopback ports, unless DATABASE_URL or REDIS_URL name
 * existing ones. They stop with this process, even if it is killed. Without `durable`, data is not
 * synced to disk and is deleted at the end, except for logs: for tests only.
 */
export async function startServices(options: {
  dataDir: string;
  durable: boolean;
  /** Whether to start with an empty database instead of the previous one. */
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
  if (database === undefined)
    throw new Error('The server of DATABASE_URL was not started by this process.');
  return database;
}
