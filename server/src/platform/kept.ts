import { z } from 'zod';
import { openListener } from './connections.ts';
import { type Db, sql } from './db.ts';

/** Says which content has changed, as soon as PostgreSQL says so. */
export interface ContentNews {
  listen(topic: string, onNews: () => void): void;
  close(): Promise<void>;
}

export function openContentNews(options: { url: string; applicationName: string }): ContentNews {
  const listeners: { topic: string; onNews: () => void }[] = [];
  const listener = openListener(options, 'content_changed', (topic) => {
    // After a lost connection nobody knows what was missed.
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

/** Keeps in memory what operators change and everybody reads. Without news it finds out by asking. */
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
  /** There may be something newer: the next one to read has somebody look. */
  doubt(): void;
}

/**
 * A value with a version. It is handed out from memory for a second; then one reader has the version
 * looked up while the others still get what is there, and nobody gets what was last known to be
 * true two seconds ago.
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
      // The same version before and after: nothing changed while it was being read, part by part.
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
      // Whoever comes when it is too old gets to know of a failure.
      refreshing.catch(() => {});
      return kept.value;
    },
  };
}
