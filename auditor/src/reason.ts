/**
 * The underlying cause of an error: fetch only says that it failed, and an AggregateError of
 * several addresses has no message.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
