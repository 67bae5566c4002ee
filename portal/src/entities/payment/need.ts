/** The name of the query parameter for the number of missing E Points. */
export const needParameter = 'need';

/** The missing E Points from the address; `null` if malformed. */
export function needOf(query: URLSearchParams): bigint | null {
  const text = query.get(needParameter) ?? '';
  return /^\d{1,12}$/.test(text) ? BigInt(text) : null;
}
