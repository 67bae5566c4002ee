import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';

/** What became of one table. `digest` says what its rows are, whatever their order. */
const ArchivedTable = z.strictObject({
  name: z.string(),
  file: z.string().regex(/^[a-z_]+\.csv\.gz$/),
  columns: z.array(z.string()),
  rows: z.string(),
  digest: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});
export type ArchivedTable = z.output<typeof ArchivedTable>;

/** Tells whoever has only the files what is in them. */
export const Manifest = z.strictObject({
  format: z.literal('pointgate-archive-1'),
  month: z.string(),
  /** The last migration of the database that it was taken from. */
  schema: z.string(),
  writtenAt: z.iso.datetime(),
  tables: z.array(ArchivedTable),
});
export type Manifest = z.output<typeof Manifest>;

const manifestFile = 'manifest.json';
// Names and amounts of players are in them.
const onlyOwner = { mode: 0o600 };

/** False where that is not possible. */
export async function makeFolder(folder: string): Promise<boolean> {
  return await mkdir(folder, { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  );
}

/** Compresses what is read into a file, which is on the disk when this is done. */
export async function writeRows(
  folder: string,
  file: string,
  rows: Readable,
): Promise<Pick<ArchivedTable, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = async function* (compressed: AsyncIterable<Buffer>) {
    for await (const chunk of compressed) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const path = join(folder, file);
  await pipeline(
    rows,
    createGzip({ level: 4 }),
    counted,
    createWriteStream(`${path}.part`, { ...onlyOwner, flush: true }),
  );
  await rename(`${path}.part`, path);
  return { bytes, sha256: hash.digest('hex') };
}

/** Answers the checksum of the manifest, which holds those of all files. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const path = join(folder, manifestFile);
  await writeFile(`${path}.part`, text, { ...onlyOwner, flush: true });
  await rename(`${path}.part`, path);
  return sha256Of(text);
}

/** What is left is no archive, and may be written over. */
export async function removeManifest(folder: string): Promise<void> {
  await rm(join(folder, manifestFile), { force: true });
}

/** Undefined if there is none, or nothing that one could read as one. */
export async function readManifest(
  folder: string,
): Promise<{ manifest: Manifest; sha256: string } | undefined> {
  try {
    const text = await readFile(join(folder, manifestFile), 'utf8');
    return { manifest: Manifest.parse(JSON.parse(text)), sha256: sha256Of(text) };
  } catch {
    return undefined;
  }
}

/** The files that are missing or are not what the manifest says, read anew from the disk. */
export async function damagedFiles(folder: string, manifest: Manifest): Promise<string[]> {
  const damaged: string[] = [];
  for (const { file, sha256 } of manifest.tables) {
    const hash = createHash('sha256');
    const isWhole = await pipeline(createReadStream(join(folder, file)), hash).then(
      () => hash.digest('hex') === sha256,
      () => false,
    );
    if (!isWhole) damaged.push(file);
  }
  return damaged;
}

/** What `writeRows` was given. */
export function readRows(folder: string, file: string): Readable {
  const rows = new PassThrough();
  pipeline(createReadStream(join(folder, file)), createGunzip(), rows).catch((error) =>
    rows.destroy(error),
  );
  return rows;
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
