import { z } from 'zod';
import { openListener } from './connections.ts';
import { type Db, sql } from './db.ts';

/** Notifications of PostgreSQL about changed content. */
export interface ContentNews {
  listen(topic: string, onNews: () => void): void;
  close(): Promise<void>;
}

export function openContentNews(options: { url: string; applicationName: string }): ContentNews {
  const listeners: { topic: string; onNews: () => void }[] = [];
  const listener = openListener(options, 'content_changed', (topic) => {
    // After a lost connection, any notification may have been missed.
    for (const each of listeners) if (topic === null || each.topic === topic) each.onNews();
  });
  return {
    listen: (topic, onNews) => {
      listeners.push({ topic, onNews });
    },
    close: () => listener.close(),
  };
}

const Version = z.object({ version: z.bigint() });

/**
 * Keeps content of operators in memory, because everybody reads it. Without notifications, changes
 * are found by polling the version.
 */
export function keepContent<Value>(
  db: Db,
  { topic, news }: { topic: 'catalogue' | 'gifts' | 'sites'; news: ContentNews | undefined },
  load: () => Promise<Value>,
): () => Promise<Value> {
  const kept = keepCurrent({
    readVersion: async () => {
      const row = await db.one(
        Version,
        sql`select version from content_versions where topic = ${topic}`,
      );
      return row.version;
    },
    load,
  });
  news?.listen(topic, kept.doubt);
  return kept.read;
}

const checkAfterMs = 1_000;
const staleAfterMs = 2_000;
const triesMax = 10;

interface Kept<Value> {
  read(): Promise<Value>;
  /** Marks the value as possibly outdated: the next read starts a check of its version. */
  doubt(): void;
}

/**
 * A cached value with a version. It is served from memory for a second; then one reader starts a
 * check of the version while others still get the cached value. No reader gets a value that was
 * last verified more than two seconds ago.
 */
export function keepCurrent<Value>({
  readVersion,
  load,
  now = Date.now,
}: {
  readVersion: () => Promise<bigint>;
  load: () => Promise<Value>;
  now?: () => number;
}): Kept<Value> {
  let kept: { value: Value; version: bigint; trueAt: number } | undefined;
  let refreshing: Promise<Value> | undefined;
  let isDoubted = false;

  const refresh = async (): Promise<Value> => {
    isDoubted = false;
    let value: Value | undefined;
    let version: bigint | undefined;
    if (kept !== undefined) ({ value, version } = kept);
    for (let tries = 0; tries < triesMax; tries += 1) {
      const trueAt = now();
      const found = await readVersion();
      // The same version before and after loading: the parts of the value are consistent.
      if (value !== undefined && version === found) {
        kept = { value, version, trueAt };
        return value;
      }
      version = found;
      value = await load();
    }
    throw new Error('the content changes faster than it can be read');
  };

  return {
    doubt: () => {
      isDoubted = true;
    },
    read: async () => {
      const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : now() - kept.trueAt;
      if (kept !== undefined && ageMs <= checkAfterMs && !isDoubted) return kept.value;
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      if (kept === undefined || ageMs > staleAfterMs) return await refreshing;
      // Awaited only by readers whose cached value is too old.
      refreshing.catch(() => {});
      return kept.value;
    },
  };
}
