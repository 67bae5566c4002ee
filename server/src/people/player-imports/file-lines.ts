import { createReadStream } from 'node:fs';

/** Longer than any line with 100 game accounts. */
const lineBytesMax = 64 * 1024;
const batchBytesMax = 8 * 1024 * 1024;

export interface FileLine {
  /** The first line is 1. */
  number: number;
  /** Where the next line begins. */
  end: number;
  /** Without the line end; undefined if there are too many. */
  bytes: Buffer | undefined;
}

/**
 * Reads a file in batches of lines. Its memory is that of a batch, whatever the file contains. The
 * bytes are shown to `onBytes` as they are read.
 */
export async function* readLines(
  file: string,
  { linesMax, onBytes }: { linesMax: number; onBytes: (bytes: Buffer) => void },
): AsyncGenerator<FileLine[]> {
  let batch: FileLine[] = [];
  let batchBytes = 0;
  /** The beginning of the line that the chunk before ended in; undefined if it is too long already. */
  let begun: Buffer | undefined = Buffer.alloc(0);
  let [number, position] = [1, 0];
  const take = (rest: Buffer, end: number) => {
    const isTooLong = begun === undefined || begun.length + rest.length > lineBytesMax;
    const bytes = isTooLong || begun === undefined ? undefined : Buffer.concat([begun, rest]);
    batch.push({ number, end, bytes });
    batchBytes += bytes?.length ?? 0;
    number += 1;
    begun = Buffer.alloc(0);
  };
  for await (const read of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    const chunk: Buffer = read;
    onBytes(chunk);
    let start = 0;
    for (;;) {
      const newline = chunk.indexOf(0x0a, start);
      if (newline < 0) break;
      take(chunk.subarray(start, newline), position + newline + 1);
      start = newline + 1;
      if (batch.length < linesMax && batchBytes < batchBytesMax) continue;
      yield batch;
      [batch, batchBytes] = [[], 0];
    }
    const rest = chunk.subarray(start);
    if (begun !== undefined) {
      begun = begun.length + rest.length > lineBytesMax ? undefined : Buffer.concat([begun, rest]);
    }
    position += chunk.length;
  }
  const isWhole = begun?.length === 0;
  if (!isWhole) take(Buffer.alloc(0), position);
  if (batch.length > 0) yield batch;
}
