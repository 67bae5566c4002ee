/**
 * The network of an address, as rate limits count it: an attacker with one address usually has its
 * neighbours too, and an IPv6 customer gets a whole /48.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1); // without the zone of a link-local address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  const v4 = mapped ?? plain;
  if (/^\d+\.\d+\.\d+\.\d+$/.test(v4)) return `${v4.split('.').slice(0, 3).join('.')}.0/24`;
  if (!URL.canParse(`http://[${plain}]`)) throw new Error('a caller without an address');
  const groups = groupsOf(plain).slice(0, 3);
  return `${groups.map((group) => group.toString(16)).join(':')}::/48`;
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const first = read(head);
  if (tail === undefined) return first;
  const last = read(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
