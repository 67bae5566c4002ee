import { networkOf } from './network.ts';

/** Forms in which the request log may store the source address. */
export const loggedSources = ['address', 'network', 'none'] as const;
export type LoggedSource = (typeof loggedSources)[number];

/**
 * The log field for a source address. The network is enough to recognise an attack and identifies
 * no person.
 */
export function sourceOf(address: string, form: LoggedSource): { source?: string } {
  if (form === 'none') return {};
  return { source: form === 'address' ? address : networkOf(address) };
}
