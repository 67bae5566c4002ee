import { networkOf } from './network.ts';

/** In which form the request log may keep where a call came from. */
export const loggedSources = ['address', 'network', 'none'] as const;
export type LoggedSource = (typeof loggedSources)[number];

/** What the request log says of an address. A network is enough to see an attack and hold on to no person. */
export function sourceOf(address: string, form: LoggedSource): { source?: string } {
  if (form === 'none') return {};
  return { source: form === 'address' ? address : networkOf(address) };
}
