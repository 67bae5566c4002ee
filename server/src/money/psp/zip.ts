import { crc32, inflateRawSync } from 'node:zlib';

const listMark = 0x02014b50;
const headMark = 0x04034b50;
const endMark = 0x06054b50;
const endBytes = 22;
const entriesMax = 100;
const bytesMax = 512 * 1024 * 1024;

/**
 * The files of a ZIP archive, or `undefined` if it is damaged: each file is compared with its CRC. Supports
 * only what Alipay uses: no encryption and 32-bit sizes.
 */
export function unzip(file: Uint8Array): { name: Buffer; bytes: Buffer }[] | undefined {
  const zip = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  try {
    const end = zip.length - endBytes;
    if (end < 0 || zip.readUInt32LE(end) !== endMark) return undefined;
    const count = zip.readUInt16LE(end + 10);
    if (count === 0 || count > entriesMax) return undefined;
    let at = zip.readUInt32LE(end + 16);
    const files: { name: Buffer; bytes: Buffer }[] = [];
    for (let index = 0; index < count; index += 1) {
      const entry = readEntry(zip, at);
      if (entry === undefined) return undefined;
      files.push({ name: entry.name, bytes: entry.bytes });
      at = entry.next;
    }
    return at === end ? files : undefined;
  } catch {
    // An offset outside the file, or data that cannot be inflated.
    return undefined;
  }
}

function readEntry(zip: Buffer, at: number) {
  if (zip.readUInt32LE(at) !== listMark) return undefined;
  const isEncrypted = (zip.readUInt16LE(at + 8) & 1) === 1;
  const [way, sum] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16)];
  const [packedSize, size] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
  const [nameSize, extraSize] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
  const commentSize = zip.readUInt16LE(at + 32);
  const head = zip.readUInt32LE(at + 42);
  const name = zip.subarray(at + 46, at + 46 + nameSize);
  if (isEncrypted || size > bytesMax || zip.readUInt32LE(head) !== headMark) return undefined;
  const start = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
  const packed = zip.subarray(start, start + packedSize);
  const bytes = unpacked(packed, way, size);
  if (bytes === undefined || bytes.length !== size || crc32(bytes) !== sum) return undefined;
  return { name, bytes, next: at + 46 + nameSize + extraSize + commentSize };
}

/** Supports stored and deflated files. */
function unpacked(packed: Buffer, way: number, size: number): Buffer | undefined {
  if (way === 0) return packed;
  return way === 8 ? inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }) : undefined;
}
