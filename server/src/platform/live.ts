import { createClient } from '@redis/client';
import { log } from './log.ts';

/**
 * Tells other processes that something changed, so that a waiting browser looks again at once. It
 * carries no state: without Redis, or while it is away, browsers find out by asking.
 */
export interface Live {
  announce(topic: string): void;
  /** Answers a function that ends the subscription. */
  listen(topic: string, onChange: () => void): () => void;
  close(): Promise<void>;
}

const channel = 'pointgate:changed';

export async function openLive(redisUrl: string | undefined): Promise<Live> {
  const listeners = new Map<string, Set<() => void>>();
  const heard = (topic: string) => {
    for (const onChange of listeners.get(topic) ?? []) onChange();
  };
  const announce = redisUrl === undefined ? localOnly(heard) : await overRedis(redisUrl, heard);
  return {
    announce: announce.send,
    listen: (topic, onChange) => {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(onChange));
      return () => {
        all.delete(onChange);
        if (all.size === 0) listeners.delete(topic);
      };
    },
    close: announce.close,
  };
}

interface Announcer {
  send(topic: string): void;
  close(): Promise<void>;
}

function localOnly(heard: (topic: string) => void): Announcer {
  return { send: heard, close: async () => {} };
}

async function overRedis(url: string, heard: (topic: string) => void): Promise<Announcer> {
  const connect = () =>
    createClient({
      url,
      // What could not be sent at once is of no use later.
      disableOfflineQueue: true,
      socket: { reconnectStrategy: (tries) => Math.min(tries * 100, 2_000) },
    }).on('error', (error: Error) => log.debug({ err: error }, 'redis is away'));
  const publisher = connect();
  const subscriber = connect();
  // Not awaited: the shop starts, and keeps running, without Redis.
  publisher.connect().catch(() => {});
  subscriber
    .connect()
    .then(() => subscriber.subscribe(channel, heard))
    .catch(() => {});
  return {
    send: (topic) => {
      publisher.publish(channel, topic).catch(() => {});
    },
    close: async () => {
      publisher.destroy();
      subscriber.destroy();
    },
  };
}
