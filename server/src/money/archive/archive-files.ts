import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';

/** An archived table. `digest` is a checksum of its rows, independent of their order. */
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

/** Describes the archived files without access to the database. */
export const Manifest = z.strictObject({
  format: z.literal('pointgate-archive-1'),
  month: z.string(),
  /** The last migration of the archived database. */
  schema: z.string(),
  writtenAt: z.iso.datetime(),
  tables: z.array(ArchivedTable),
});
export type Manifest = z.output<typeof Manifest>;

const manifestFile = 'manifest.json';
// The files contain names and amounts of players.
const onlyOwner = { mode: 0o600 };

/** False if the folder cannot be created. */
export async function makeFolder(folder: string): Promise<boolean> {
  return await mkdir(folder, { recursive: true, mode: 0o700 }).then(
    () => true,
    () => false,
  );
}

/** Compresses a stream into a file and flushes the file to disk. */
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

/** Returns the checksum of the manifest, which contains the checksums of all files. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const path = join(folder, manifestFile);
  await writeFile(`${path}.part`, text, { ...onlyOwner, flush: true });
  await rename(`${path}.part`, path);
  return sha256Of(text);
}

/** Without a manifest the folder is not an archive and may be overwritten. */
export async function removeManifest(folder: string): Promise<void> {
  await rm(join(folder, manifestFile), { force: true });
}

/** Undefined if the manifest is missing or invalid. */
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

/** The files that are missing or differ from the manifest, read again from disk. */
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

/** Reads the rows that `writeRows` has written. */
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
