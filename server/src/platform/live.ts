import { connectRedis } from './redis.ts';

/**
 * Tells other processes that something changed, so that a waiting browser looks again at once. It
 * carries no state: without Redis, or while it is away, browsers find out by asking.
 */
export interface Live {
  announce(topic: string): void;
  /** Answers a function that ends the subscription. */
  listen(topic: string, onChange: () => void): () => void;
  /** Whether what other processes announce is heard here at the moment. */
  hearsOthers(): boolean;
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
    hearsOthers: announce.hearsOthers,
    close: announce.close,
  };
}

interface Announcer extends Pick<Live, 'hearsOthers'> {
  send(topic: string): void;
  close(): Promise<void>;
}

function localOnly(heard: (topic: string) => void): Announcer {
  return { send: heard, hearsOthers: () => false, close: async () => {} };
}

async function overRedis(url: string, heard: (topic: string) => void): Promise<Announcer> {
  const { redis: publisher } = connectRedis(url);
  const { redis: subscriber, connected } = connectRedis(url);
  // Once for good: after a cut the client subscribes again by itself.
  let isSubscribed = false;
  connected
    .then(() => subscriber.subscribe(channel, heard))
    .then(() => {
      isSubscribed = true;
    })
    .catch(() => {});
  return {
    send: (topic) => {
      publisher.publish(channel, topic).catch(() => {});
    },
    hearsOthers: () => isSubscribed && subscriber.isReady,
    close: async () => {
      publisher.destroy();
      subscriber.destroy();
    },
  };
}
