import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

/** A table of refused lines, which replaces the one of an earlier run once it is complete. */
export interface RefusalFile {
  add(refused: { line: number | bigint; code: string; field: string }): Promise<void>;
  close(): Promise<void>;
}

export function openRefusalFile(path: string): RefusalFile {
  const begun = `${path}.part`;
  const out = createWriteStream(begun);
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  out.write('line\tcode\tfield\n');
  return {
    add: ({ line, code, field }) => write(`${line}\t${code}\t${field}\n`),
    close: async () => {
      out.end();
      await finished(out);
      await rename(begun, path);
    },
  };
}
