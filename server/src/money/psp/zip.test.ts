import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unzip } from './zip.ts';

describe('ZIP files of Alipay bills', () => {
  const text = Buffer.from('业务明细'.repeat(100));

  test.each([0, 8])(
    'the Alipay adapter unpacks a ZIP file of a bill with the compression method %s',
    (way) => {
      const [file] = unzip(zipOf({ way })) ?? [];
      expect(file?.name.toString()).toBe('bill.csv');
      expect(file?.bytes.equals(text)).toBe(true);
    },
  );

  test.each<[string, Buffer]>([
    ['no content', Buffer.alloc(0)],
    ['only its first 60 bytes', zipOf({}).subarray(0, 60)],
    ['a truncated end record', zipOf({}).subarray(0, -1)],
    ['a wrong checksum', zipOf({ sum: 1 })],
    ['a wrong size', zipOf({ size: 5 })],
    ['a size of 4 GB', zipOf({ size: 0xffffffff })],
    ['encryption', zipOf({ flags: 1 })],
    ['an unsupported compression method', zipOf({ way: 12 })],
    ['a wrong directory offset', zipOf({ listAt: 1 })],
    ['a directory offset outside the file', zipOf({ listAt: 0xfffffff0 })],
    ['no files', zipOf({ count: 0 })],
    ['fewer files than declared', zipOf({ count: 2 })],
    ['60,000 declared files', zipOf({ count: 60_000 })],
  ])('the Alipay adapter refuses a ZIP file of a bill with %s', (_what, file) => {
    expect(unzip(file)).toBeUndefined();
  });

  /** A ZIP file as in the APPNOTE specification, or with one field changed. */
  function zipOf(changes: {
    way?: number;
    sum?: number;
    size?: number;
    flags?: number;
    listAt?: number;
    count?: number;
  }): Buffer {
    const { way = 8, sum = crc32(text), size = text.length, flags = 0, count = 1 } = changes;
    const name = Buffer.from('bill.csv');
    const packed = way === 0 ? text : deflateRawSync(text);
    const facts = Buffer.alloc(24);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(flags, 2);
    facts.writeUInt16LE(way, 4);
    facts.writeUInt32LE(sum, 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const head = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, Buffer.alloc(2), name]);
    const listed = Buffer.concat([
      Buffer.from('504b01021400', 'hex'),
      facts,
      Buffer.alloc(16),
      name,
    ]);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(changes.listAt ?? head.length + packed.length, 16);
    return Buffer.concat([head, packed, listed, end]);
  }
});
