import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Session } from '../../platform/connections.ts';
import { type Db, isConnectionLoss } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import { refuse } from '../../platform/operator-action.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import type { FirebaseParameters } from '../accounts/foreign-hashes.ts';
import type { IdentityKeyOf } from '../accounts/identity-keys.ts';
import { type FileLine, readLines } from './file-lines.ts';
import { planBatch, type ReadLine, refuseNameTwice, storeBatch } from './import-batch.ts';
import { openProgress } from './import-progress.ts';
import { openNameSet } from './name-set.ts';
import {
  type Counts,
  deleteOldRefusals,
  finishImport,
  type ImportRow,
  insertImport,
  lockImports,
  selectGameIds,
  selectImport,
  selectRefusals,
} from './player-imports.queries.ts';
import { openLineReader, UnusableHeader } from './read-player.ts';
import { openRefusalFile } from './refusal-file.ts';

export interface ImportParts {
  db: Db;
  identityKeyOf: IdentityKeyOf;
  /** A connection of its own, which holds the lock. */
  openSession: () => Promise<Session>;
  note: (line: string) => void;
  now: Date;
  /** Lines in a transaction. */
  linesMax?: number;
}

interface ImportedFile {
  file: string;
  format: 'ndjson' | 'csv';
  firebase: FirebaseParameters | undefined;
  isUpdate: boolean;
  by: string;
}

export interface ImportOutcome extends Counts {
  file: string;
  /** Lines that were stored by runs before this one. */
  before: number;
  refusals: string;
}

/**
 * Imports the players of a file. A second run goes on where the first one stopped, and answers what
 * both did. Only one process imports at a time.
 */
export async function importPlayers(
  parts: ImportParts,
  asked: ImportedFile,
): Promise<ImportOutcome> {
  const session = await parts.openSession();
  try {
    if (!(await lockImports(session))) refuse('another import is running');
    const begun = await beginImport(parts, asked);
    const before = Number(begun.row.lines);
    if (!begun.row.is_done) await importRest(parts, { ...asked, ...begun });
    const done = await selectImport(parts.db, begun);
    if (done === undefined) throw new Error('the import has no row');
    const refusals = await writeRefusals(parts.db, { importId: done.id, file: asked.file });
    return { file: asked.file, ...countsOf(done), before, refusals };
  } finally {
    await session.close();
  }
}

/** Reads the whole file and answers what an import would do. Stores nothing. */
export async function tryImport(parts: ImportParts, asked: ImportedFile): Promise<ImportOutcome> {
  const { db } = parts;
  const { bytes } = await sizeOf(asked.file);
  const refusals = `${asked.file}.refused.tsv`;
  const file = openRefusalFile(refusals);
  const progress = openProgress({ bytes, from: 0, note: parts.note });
  try {
    await readBatches(parts, { ...asked, from: 0 }, async (lines, { to }) => {
      const { made, known, refused } = await planBatch(db, lines);
      for (const line of refused) await file.add(line);
      const [lineCount, updated] = [lines.length, 0];
      progress.moved(to, {
        lines: lineCount,
        made: made.length,
        known: known.length,
        updated,
        refused: refused.length,
      });
    });
  } finally {
    progress.stop();
    await file.close();
  }
  return { file: asked.file, ...progress.total, before: 0, refusals };
}

interface Begun {
  row: ImportRow;
  digest: Buffer;
  options: object;
  bytes: number;
}

/** Finds the import by the file's digest, or starts one. */
async function beginImport({ db }: ImportParts, asked: ImportedFile): Promise<Begun> {
  const { digest, bytes } = await sizeOf(asked.file);
  const { format, firebase, isUpdate } = asked;
  const parameters =
    firebase === undefined
      ? null
      : createHash('sha256')
          .update(JSON.stringify(Object.entries(firebase).toSorted()))
          .digest('hex');
  const options = { format, isUpdate, parameters };
  const row = await db.transaction(async (tx) => {
    const known = await selectImport(tx, { digest, options });
    if (known !== undefined) return known;
    await insertImport(tx, { id: newId(), digest, bytes, options, by: asked.by });
    return await selectImport(tx, { digest, options });
  });
  if (row === undefined) throw new Error('the import has no row');
  if (!row.has_these_options) {
    refuse('an import of this file with other options is not done: go on with those first');
  }
  return { row, digest, options, bytes };
}

async function sizeOf(file: string): Promise<{ digest: Buffer; bytes: number }> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) refuse(`${file} is no file that can be read`);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const read of createReadStream(file)) {
    const chunk: Buffer = read;
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { digest: hash.digest(), bytes };
}

async function importRest(parts: ImportParts, asked: ImportedFile & Begun): Promise<void> {
  const { db, note } = parts;
  const { row, by, isUpdate, digest, bytes } = asked;
  const from = Number(row.next_byte);
  if (from > 0) note(`goes on behind line ${row.lines}`);
  const progress = openProgress({ bytes, from, note }, countsOf(row));
  try {
    const read = await readBatches(parts, { ...asked, from }, async (lines, step) => {
      const batch = { importId: row.id, by, isUpdate, lines, ...step };
      const counts = await storeBatch(db, batch).catch((error) => stopAt(lines, error));
      progress.moved(step.to, counts);
    });
    if (!read.equals(digest)) refuse('the file changed while it was read: import it again');
    await db.transaction((tx) => finishImport(tx, row.id));
  } finally {
    progress.stop();
  }
}

/** The message of an error alone: PostgreSQL adds the row that it refused. */
function stopAt(lines: readonly ReadLine[], error: unknown): never {
  log.error({ err: error, line: lines[0]?.line }, 'a batch of players could not be stored');
  const why = isConnectionLoss(error) ? 'the connection to the database was lost' : 'see the log';
  return refuse(
    `the import stopped at line ${lines[0]?.line ?? 0}: ${why}. Run it again to go on.`,
  );
}

/**
 * Reads the file from its beginning, because later lines may repeat names of earlier ones, and hands
 * over what is behind `from`. Answers the digest of what was read.
 */
async function readBatches(
  { db, identityKeyOf, now, linesMax = 5_000 }: ImportParts,
  { file, format, firebase, from }: ImportedFile & { from: number },
  onBatch: (lines: ReadLine[], step: { from: number; to: number }) => Promise<void>,
): Promise<Buffer> {
  const games = new Set(await selectGameIds(db));
  const readLine = openLineReader(format, { identityKeyOf, firebase, games, now });
  const names = openNameSet();
  const hash = createHash('sha256');
  const read = ({ number, ...rest }: FileLine): ReadLine[] => {
    const found = readOrRefuse(readLine, { number, ...rest });
    if (found === 'no player') return [];
    return [{ line: number, read: 'code' in found ? found : refuseNameTwice(found, names) }];
  };
  let position = from;
  const onBytes = (bytes: Buffer) => void hash.update(bytes);
  for await (const lines of readLines(file, { linesMax, onBytes })) {
    const kept: ReadLine[] = [];
    for (const line of lines) {
      const made = read(line);
      if (line.end > from) kept.push(...made);
    }
    const to = lines.at(-1)?.end ?? position;
    if (to <= from) continue;
    await onBatch(kept, { from: position, to });
    position = to;
  }
  return hash.digest();
}

function readOrRefuse(readLine: ReturnType<typeof openLineReader>, line: FileLine) {
  try {
    return readLine(line);
  } catch (error) {
    if (error instanceof UnusableHeader) refuse(error.message);
    throw error;
  }
}

const countsOf = (row: ImportRow): Counts => ({
  lines: Number(row.lines),
  made: Number(row.made),
  known: Number(row.known),
  updated: Number(row.updated),
  refused: Number(row.refused),
});

async function writeRefusals(
  db: Db,
  { importId, file }: { importId: string; file: string },
): Promise<string> {
  const path = `${file}.refused.tsv`;
  const out = openRefusalFile(path);
  const rowsMax = 10_000;
  for (let after = 0n; ; ) {
    const rows = await selectRefusals(db, { importId, after, rowsMax });
    for (const row of rows) await out.add(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsMax) break;
    after = last.line;
  }
  await out.close();
  return path;
}

const refusalDays = 90;

export async function forgetOldRefusals(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldRefusals(refusalDays));
}
