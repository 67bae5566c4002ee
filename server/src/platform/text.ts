/** Deeper than anything a shop is told. */
const depthMax = 32;

/**
 * Whether every text inside can be stored and read back as it is: no NUL, which PostgreSQL refuses,
 * and no half of a surrogate pair, which it would silently replace. What is nested too deep is refused
 * before it could use the stack up.
 */
export function isStorableText(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= depthMax) return false;
  const isInnerStorable = (inner: unknown) => isStorableText(inner, depth + 1);
  if (Array.isArray(value)) return value.every(isInnerStorable);
  return Object.entries(value).every(
    ([key, inner]) => isStorableText(key) && isInnerStorable(inner),
  );
}
