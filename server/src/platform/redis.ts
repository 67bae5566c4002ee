import { createClient } from '@redis/client';
import { log } from './log.ts';

/** A client that answers at once or not at all, and connects again by itself. */
export function connectRedis(url: string) {
  const redis = createClient({
    url,
    // What could not be sent at once is of no use later.
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (tries) => Math.min(tries * 100, 2_000) },
  }).on('error', (error: Error) => log.debug({ err: error }, 'redis is away'));
  // Not awaited: the shop starts, and keeps running, without Redis.
  const connected = redis.connect().then(() => {});
  connected.catch(() => {});
  return { redis, connected };
}
