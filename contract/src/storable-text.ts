/** Deeper than any valid value. */
const depthMax = 32;

/**
 * Whether every text inside can be stored and read back unchanged: without NUL, which PostgreSQL
 * refuses, and without lone surrogates, which would be replaced silently. Values nested too deeply
 * are refused before they could overflow the stack.
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
