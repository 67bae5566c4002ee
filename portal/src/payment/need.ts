/** The name of the parameter that says how many E Points are missing. */
export const needParameter = 'need';

/** Anything can stand in an address. */
export function needOf(query: URLSearchParams): bigint | null {
  const text = query.get(needParameter) ?? '';
  return /^\d{1,12}$/.test(text) ? BigInt(text) : null;
}
