/** A UUIDv7: ids ordered by time keep the database index of the server compact. */
export function newEventId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  const random = [...crypto.getRandomValues(new Uint8Array(10))].map(inHex).join('');
  const variant = ((Number.parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${random.slice(0, 3)}`,
    variant + random.slice(4, 7),
    random.slice(7, 19),
  ].join('-');
}

function inHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
