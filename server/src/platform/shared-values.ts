import { connectRedis } from './redis.ts';

/**
 * Small values that all processes see and that may be lost at any moment: in Redis, or in each process
 * alone where the shop has none. Both calls throw while Redis is away.
 */
export interface SharedValues {
  read(key: string): Promise<string | null>;
  /** Writes the value if it still is what it was; false where somebody else was faster. */
  swap(key: string, change: { before: string | null; after: string }): Promise<boolean>;
  /** Whether they can be asked for; waits a moment for a first connection. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

interface Options {
  redisUrl: string | undefined;
  /** Of all keys: several shops may share one Redis. */
  prefix: string;
  /** After how long a value is forgotten that nobody changes. */
  keepMs: number;
}

export function openSharedValues(options: Options): SharedValues {
  const { redisUrl } = options;
  return redisUrl === undefined ? inMemory(options) : inRedis({ ...options, redisUrl });
}

/** Compares and writes in one step, as no two commands could. */
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

/** A line that hangs must not hold up whoever wants to pay. */
async function inTime<T>(answer: Promise<T>, withinMs = patienceMs): Promise<T> {
  const late = Promise.withResolvers<never>();
  // What came while this process was busy is read before anybody hears that nothing came.
  const giveUp = () => setImmediate(() => late.reject(new Error('Redis did not answer')));
  const timer = setTimeout(giveUp, withinMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
