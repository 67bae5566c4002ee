/**
 * Reads once and keeps the answer for a while, for what everybody asks for and few change. Callers
 * at the same moment share one read; a failed read is not kept. What is past its time is forgotten,
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
