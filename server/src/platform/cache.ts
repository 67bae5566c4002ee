/**
 * Caches the result of a read for a while, for values that are read often and change rarely.
 * Concurrent callers share one read, and a failed read is not cached. Expired entries are removed,
 * because players choose some of the keys.
 */
export function cachedFor<Key, Value>(
  keepMs: number,
  read: (key: Key) => Promise<Value>,
  now: () => number = Date.now,
): (key: Key) => Promise<Value> {
  const kept = new Map<Key, { value: Promise<Value>; readAt: number }>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined && now() - known.readAt <= keepMs) return known.value;
    for (const [past, { readAt }] of kept) if (now() - readAt > keepMs) kept.delete(past);
    const entry = { value: read(key), readAt: now() };
    entry.value.catch(() => {
      if (kept.get(key) === entry) kept.delete(key);
    });
    kept.set(key, entry);
    return entry.value;
  };
}
