/**
 * Whether every text inside can be stored and read back as it is: no NUL, which PostgreSQL refuses,
 * and no half of a surrogate pair, which it would silently replace.
 */
export function isStorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (Array.isArray(value)) return value.every(isStorableText);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).every(
      ([key, inner]) => isStorableText(key) && isStorableText(inner),
    );
  }
  return true;
}
