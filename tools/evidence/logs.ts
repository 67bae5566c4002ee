import { readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Place } from './find-leaks.ts';

/** The logs of all programs and services of a stack. */
export async function readLogs(home: string): Promise<Place[]> {
  const folders = [home, join(home, 'logs')];
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder))
        .filter((name) => name.endsWith('.log'))
        .map((name) => join(folder, name)),
    ),
  );
  return await Promise.all(
    files.flat().map(async (file) => ({
      name: `log ${parse(file).name}`,
      text: await readFile(file, 'utf8'),
    })),
  );
}
