import { connectRedis } from './redis.ts';

/**
 * Small values that all processes share and that may be lost at any moment: in Redis, or per
 * process if the shop has none. Both calls throw while Redis is down.
 */
export interface SharedValues {
  read(key: string): Promise<string | null>;
  /** Compare and swap; false if another process was faster. */
  swap(key: string, change: { before: string | null; after: string }): Promise<boolean>;
  /** Whether the values are available; waits briefly for a first connection. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

interface Options {
  redisUrl: string | undefined;
  /** The prefix of all keys, because several shops may share one Redis. */
  prefix: string;
  /** The lifetime of a value since its last change. */
  keepMs: number;
}

export function openSharedValues(options: Options): SharedValues {
  const { redisUrl } = options;
  return redisUrl === undefined ? inMemory(options) : inRedis({ ...options, redisUrl });
}

/** Compares and writes atomically. */
const swapScript = `
  if (redis.call('get', KEYS[1]) or '') ~= ARGV[1] then return 0 end
  redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1`;

function inRedis({ redisUrl, prefix, keepMs }: Options & { redisUrl: string }): SharedValues {
  const { redis, connected } = connectRedis(redisUrl);
  return {
    read: (key) => inTime(redis.get(prefix + key)),
    swap: async (key, { before, after }) => {
      const values = [before ?? '', after, String(keepMs)];
      const swapped = redis.eval(swapScript, { keys: [prefix + key], arguments: values });
      return (await inTime(swapped)) === 1;
    },
    isThere: async () => {
      await inTime(connected, firstPatienceMs).catch(() => {});
      return redis.isReady;
    },
    close: async () => redis.destroy(),
  };
}

function inMemory({ prefix, keepMs }: Options): SharedValues {
  const kept = new Map<string, { value: string; until: number }>();
  const read = (key: string) => {
    const found = kept.get(prefix + key);
    return found === undefined || found.until <= Date.now() ? null : found.value;
  };
  return {
    read: async (key) => read(key),
    swap: async (key, { before, after }) => {
      if (read(key) !== before) return false;
      kept.set(prefix + key, { value: after, until: Date.now() + keepMs });
      return true;
    },
    isThere: async () => true,
    close: async () => {},
  };
}

const patienceMs = 250;
const firstPatienceMs = 2_000;

/** A connection that hangs must not delay a payment. */
async function inTime<T>(answer: Promise<T>, withinMs = patienceMs): Promise<T> {
  const late = Promise.withResolvers<never>();
  // Replies that arrived while this process was busy are read before the timeout is reported.
  const giveUp = () => setImmediate(() => late.reject(new Error('Redis did not answer')));
  const timer = setTimeout(giveUp, withinMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
