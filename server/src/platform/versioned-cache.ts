import { z } from 'zod';
import { openListener } from './connections.ts';
import { type Db, sql } from './db.ts';

/** Notifications of PostgreSQL about changed content. */
export interface ContentChanges {
  listen(topic: string, onChange: () => void): void;
  close(): Promise<void>;
}

export function openContentChanges(options: {
  url: string;
  applicationName: string;
}): ContentChanges {
  const listeners: { topic: string; onChange: () => void }[] = [];
  const listener = openListener(options, 'content_changed', (topic) => {
    // After a lost connection, any notification may have been missed.
    for (const each of listeners) if (topic === null || each.topic === topic) each.onChange();
  });
  return {
    listen: (topic, onChange) => {
      listeners.push({ topic, onChange });
    },
    close: () => listener.close(),
  };
}

const Version = z.object({ version: z.bigint() });

/**
 * Keeps content of operators in memory, because everybody reads it. Without notifications, changes
 * are found by polling the version.
 */
export function cacheContent<Value>(
  db: Db,
  {
    topic,
    changes,
  }: {
    topic: 'catalogue' | 'gifts' | 'secrets' | 'servers' | 'sites';
    changes: ContentChanges | undefined;
  },
  load: () => Promise<Value>,
): Pick<VersionedCache<Value>, 'read' | 'readAgain'> {
  const cached = cacheByVersion({
    readVersion: async () => {
      const row = await db.one(
        Version,
        sql`select version from content_versions where topic = ${topic}`,
      );
      return row.version;
    },
    load,
  });
  changes?.listen(topic, cached.invalidate);
  return cached;
}

const checkAfterMs = 1_000;
const staleAfterMs = 2_000;
const triesMax = 10;

interface VersionedCache<Value> {
  read(): Promise<Value>;
  /** A value that is verified after this call. Concurrent callers share the check. */
  readAgain(): Promise<Value>;
  /** Marks the value as possibly outdated: the next read starts a check of its version. */
  invalidate(): void;
}

/**
 * A cached value with a version. It is served from memory for a second; then one reader starts a
 * check of the version while others still get the cached value. No reader gets a value that was
 * last verified more than two seconds ago.
 */
export function cacheByVersion<Value>({
  readVersion,
  load,
  now = Date.now,
}: {
  readVersion: () => Promise<bigint>;
  load: () => Promise<Value>;
  now?: () => number;
}): VersionedCache<Value> {
  let cached: { value: Value; version: bigint; trueAt: number } | undefined;
  let refreshing: Promise<Value> | undefined;
  let isInvalidated = false;

  const refresh = async (): Promise<Value> => {
    isInvalidated = false;
    let value: Value | undefined;
    let version: bigint | undefined;
    if (cached !== undefined) ({ value, version } = cached);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const trueAt = now();
      const found = await readVersion();
      // The same version before and after loading: the parts of the value are consistent.
      if (value !== undefined && version === found) {
        cached = { value, version, trueAt };
        return value;
      }
      version = found;
      value = await load();
    }
    throw new Error('the content changes faster than it can be read');
  };

  const check = (): Promise<Value> => {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  return {
    invalidate: () => {
      isInvalidated = true;
    },
    readAgain: async () => {
      // A check that is under way may have read the version before the change.
      await refreshing?.catch(() => {});
      return await check();
    },
    read: async () => {
      const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : now() - cached.trueAt;
      if (cached !== undefined && ageMs <= checkAfterMs && !isInvalidated) return cached.value;
      const checked = check();
      if (cached === undefined || ageMs > staleAfterMs) return await checked;
      // Awaited only by readers whose cached value is too old.
      checked.catch(() => {});
      return cached.value;
    },
  };
}
