import { connectRedis } from './redis.ts';

/**
 * Notifies other processes of a change, so that a waiting browser reads again at once. It carries
 * no data: without Redis, browsers find changes by polling.
 */
export interface Live {
  announce(topic: string): void;
  /** Returns a function that ends the subscription. */
  listen(topic: string, onChange: () => void): () => void;
  /** Whether announcements of other processes are received at the moment. */
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
  // Subscribes once: the client subscribes again by itself after a reconnect.
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
