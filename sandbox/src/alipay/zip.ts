import { crc32, deflateRawSync } from 'node:zlib';

type Entry = { name: Buffer; bytes: Buffer };

/**
 * Writes a zip archive after PKWARE's APPNOTE: local headers with files, then the central
 * directory.
 */
export function zipOf(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const packed = deflateRawSync(bytes);
    const facts = factsOf({ name, bytes, packed });
    const head = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, u16(0), name]);
    parts.push(head, packed);
    list.push(
      Buffer.concat([
        Buffer.from('504b01021400', 'hex'),
        facts,
        ...[u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset), name],
      ]),
    );
    offset += head.length + packed.length;
  }
  const listed = Buffer.concat(list);
  const count = u16(entries.length);
  const end = [Buffer.from('504b0506', 'hex'), u16(0), u16(0), count, count];
  return Buffer.concat([...parts, listed, ...end, u32(listed.length), u32(offset), u16(0)]);
}

/** The fields common to both headers: version, flags, compression method, time, checksum, sizes. */
function factsOf({ name, bytes, packed }: Entry & { packed: Buffer }): Buffer {
  return Buffer.concat([
    ...[u16(20), u16(0), u16(8), u16(0), u16(0x21)],
    ...[u32(crc32(bytes)), u32(packed.length), u32(bytes.length), u16(name.length)],
  ]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
