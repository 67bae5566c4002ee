import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The number of trusted proxies in front of the shop, or their networks. */
export type TrustProxy = number | string[];

/** Whether this address, at this number of hops, is a proxy of the operator. */
type IsProxy = (address: string | undefined, hop: number) => boolean;

const network = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i;

/** `10.0.0.0/8` or a single address. A network of all addresses is refused. */
export function isNetwork(text: string): boolean {
  const [, address = '', prefix] = network.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  const bits = version === 4 ? 32 : 128;
  return prefix === undefined || (Number(prefix) >= 1 && Number(prefix) <= bits);
}

export function openProxies(trust: TrustProxy): IsProxy {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  const networks = new BlockList();
  for (const text of trust) {
    const [, address = '', prefix] = network.exec(text) ?? [];
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, Number(prefix), family);
  }
  return (given = '') => {
    const [address = ''] = given.split('%', 1); // without the zone of a link-local address
    const version = isIP(address);
    return version !== 0 && networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

const entriesMax = 16;
const written = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Removes proxy headers from a request that came from no trusted proxy. Of X-Forwarded-For it keeps
 * the right end, up to the first entry that is not an address: proxies append on the right, so
 * entries left of a malformed one are untrusted.
 */
export function dropUntrustedHeaders(
  headers: IncomingHttpHeaders,
  { isFromProxy, countryHeader }: { isFromProxy: boolean; countryHeader: string | undefined },
): void {
  if (!isFromProxy) {
    for (const name of written) delete headers[name];
    if (countryHeader !== undefined) delete headers[countryHeader];
    return;
  }
  const forwardedFor = headers['x-forwarded-for'];
  if (forwardedFor === undefined) return;
  const entries = String(forwardedFor)
    .split(',')
    .slice(-entriesMax)
    .map((entry) => entry.trim());
  const unreadable = entries.findLastIndex((entry) => isIP(entry) === 0 || entry.includes('%'));
  const readable = entries.slice(unreadable + 1);
  if (readable.length === 0) delete headers['x-forwarded-for'];
  else headers['x-forwarded-for'] = readable.join(', ');
}
