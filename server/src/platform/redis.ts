import { createClient } from '@redis/client';
import { log } from './log.ts';

/** A client that fails at once while disconnected and reconnects by itself. */
export function connectRedis(url: string) {
  const redis = createClient({
    url,
    // Delayed commands would be useless.
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (tries) => Math.min(tries * 100, 2_000) },
  }).on('error', (error: Error) => log.debug({ err: error }, 'redis connection failed'));
  // Not awaited: the shop starts and runs without Redis.
  const connected = redis.connect().then(() => {});
  connected.catch(() => {});
  return { redis, connected };
}
