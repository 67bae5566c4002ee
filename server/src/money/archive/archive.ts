import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Session } from '../../platform/connections.ts';
import type { Db } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { retryOnLock } from '../../platform/lock-retries.ts';
import { log } from '../../platform/log.ts';
import { type Month, monthOf, monthOfId, monthsBetween } from '../../platform/month.ts';
import {
  type ArchiveRow,
  addBounds,
  addKeys,
  attachTables,
  beginReading,
  copyInto,
  copyIntoStage,
  copyRows,
  createStage,
  createTables,
  deleteArchive,
  deleteRows,
  detachTable,
  digestOf,
  digestOfLedger,
  dropTable,
  endReading,
  insertArchive,
  insertStaged,
  type Part,
  prepareSession,
  selectArchive,
  selectArchives,
  selectParts,
  selectSchema,
  selectTables,
  selectUnfinished,
  takeTurn,
  updateArchive,
  updateRestored,
  validateKeys,
} from './archive.queries.ts';
import {
  type ArchivedTable,
  damagedFiles,
  type Manifest,
  makeFolder,
  readManifest,
  readRows,
  removeManifest,
  writeManifest,
  writeRows,
} from './archive-files.ts';

export interface ArchiveContext {
  db: Db;
  /** Opens a separate connection, because some statements cannot run in a transaction. */
  open: () => Promise<Session>;
  now: () => number;
}

interface Asked {
  /** In the form `2025-01`. */
  month: string;
  /** The parent folder; the files of a month are in a subfolder named after it. */
  folder: string;
  by: string;
}

interface Done {
  month: string;
  folder: string;
  tables: Record<string, string>;
}

/** Refused for these reasons; nothing was changed. */
type Refused = { complaints: string[] };

// Disputes and refunds may come for a year; later ones open a case.
const monthsKept = 12;
const rowsPerBatch = 5_000;

/**
 * Writes everything about the orders of a month to files, and removes it from the shop once the
 * files are verified against the tables. Resumes if it was interrupted before.
 */
export async function archiveMonth(context: ArchiveContext, asked: Asked): Promise<Done | Refused> {
  const month = monthOf(asked.month);
  if (month === undefined) return refused(`${asked.month} is no month as 2025-01 is`);
  if (monthsBetween(month.begins, new Date(context.now())) < monthsKept) {
    return refused(`${month.name} has to stay: disputes and refunds come for ${monthsKept} months`);
  }
  return await inTurn(context, (session) => archiveInTurn(context, session, { ...asked, month }));
}

type Order = Omit<Asked, 'month'> & { month: Month };

async function archiveInTurn(
  { db }: ArchiveContext,
  session: Session,
  { month, folder: below, by }: Order,
): Promise<Done | Refused> {
  const begun = await selectArchive(db, month);
  if (begun?.state === 'archived') {
    return refused(`${month.name} was archived to ${begun.folder} already`);
  }
  const folder = begun?.folder ?? folderOf(below, month);
  const archiveId = begun?.archive_id ?? newId();
  const parts = await selectParts(session);
  if (begun === undefined) {
    const complaints = await complaintsAbout(session, { parts, folder, month });
    if (complaints.length > 0) return { complaints };
    if (!(await makeFolder(folder))) return refused(`${folder} cannot be made`);
    const { manifest, sha256 } = await writeFiles(session, { parts, folder, month });
    const orders = BigInt(manifest.tables.find(({ name }) => name === 'orders')?.rows ?? 0);
    const archive = { archive_id: archiveId, folder, manifest_sha256: sha256, orders };
    await db.transaction((tx) => insertArchive(tx, { ...archive, month, by }));
    log.info(
      { month: month.name, folder, orders: `${orders}` },
      'the files of a month are written',
    );
  }
  // After the verification tables may be dropped, so the files cannot be compared with them again.
  const { manifest, complaints } =
    begun?.state === 'verified'
      ? await readArchive(folder, begun)
      : await takeOut(db, session, { archiveId, parts, folder, month });
  if (manifest === undefined) return { complaints };
  await removeRows(session, { parts, month });
  await db.transaction((tx) => updateArchive(tx, archiveId, { state: 'archived' }));
  log.info({ month: month.name, folder, by }, 'a month was archived');
  return doneWith(manifest, folder);
}

/** Detaches the month and verifies its files, or reattaches it if new work came up meanwhile. */
async function takeOut(
  db: Db,
  session: Session,
  { archiveId, ...work }: Work & { archiveId: string },
): Promise<{ manifest?: Manifest; complaints: string[] }> {
  const { folder, month } = work;
  await detach(session, month);
  const complaints = await unfinishedIn(session, month);
  if (complaints.length > 0) {
    await retryOnLock('attach a month', () => attachTables(session, month));
    await removeManifest(folder);
    await db.transaction((tx) => deleteArchive(tx, archiveId));
    return { complaints };
  }
  const { manifest, sha256 } = await verifyFiles(session, work);
  const ledger = await digestOfLedger(session, month);
  await db.transaction((tx) =>
    updateArchive(tx, archiveId, { state: 'verified', manifest_sha256: sha256, ledger }),
  );
  return { manifest, complaints };
}

/**
 * Restores a month from its files. The month becomes visible only when it is complete. Starts over
 * if it was interrupted before.
 */
export async function restoreMonth(context: ArchiveContext, asked: Asked): Promise<Done | Refused> {
  const month = monthOf(asked.month);
  if (month === undefined) return refused(`${asked.month} is no month as 2025-01 is`);
  return await inTurn(context, (session) => restoreInTurn(context, session, { ...asked, month }));
}

async function restoreInTurn(
  { db }: ArchiveContext,
  session: Session,
  { month, folder: below, by }: Order,
): Promise<Done | Refused> {
  const archive = await selectArchive(db, month);
  if (archive === undefined) return refused(`${month.name} is not archived`);
  if (archive.state !== 'archived') {
    return refused(`archiving ${month.name} was interrupted: let it go on first`);
  }
  const folder = folderOf(below, month);
  const { manifest, complaints } = await readArchive(folder, archive);
  if (manifest === undefined) return { complaints };
  const found = await selectTables(session, month);
  // All tables are attached in one transaction. If they are attached, only the status is missing.
  const isBack = found.some((table) => table.is_attached);
  if (!isBack) await putBack(session, { month, folder, tables: manifest.tables });
  await db.transaction((tx) => updateRestored(tx, archive.archive_id, by));
  log.info({ month: month.name, folder, by }, 'a month was restored');
  return doneWith(manifest, folder);
}

/** Reads the manifest if the files are the archived ones and none is missing or damaged. */
async function readArchive(
  folder: string,
  archive: Pick<ArchiveRow, 'manifest_sha256'>,
): Promise<{ manifest?: Manifest; complaints: string[] }> {
  const written = await readManifest(folder);
  if (written === undefined || written.sha256 !== archive.manifest_sha256) {
    return refused(`${folder} does not hold what was archived`);
  }
  const damaged = await damagedFiles(folder, written.manifest);
  const complaints = damaged.map((file) => `${join(folder, file)} is missing or damaged`);
  return complaints.length > 0 ? { complaints } : { manifest: written.manifest, complaints };
}

/** All archives with their state, the oldest month first. */
export async function listArchives(db: Db) {
  const archives = await selectArchives(db);
  return archives.map((archive) => ({
    month: archive.month,
    state: archive.state,
    orders: `${archive.orders}`,
    folder: archive.folder,
    manifestSha256: archive.manifest_sha256,
    archivedBy: archive.archived_by,
    archivedAt: archive.archived_at.toISOString(),
    restoredBy: archive.restored_by,
    restoredAt: archive.restored_at?.toISOString() ?? null,
  }));
}

/** The archive of an order's month, if it is archived. */
export async function findArchiveOf(
  db: Db,
  paymentId: string,
): Promise<{ month: string; folder: string } | undefined> {
  return await findArchive(db, monthOfId(paymentId));
}

/** The archive of a day in the form `2025-01-09`, if its month is archived. */
export async function findArchiveOfDay(
  db: Db,
  day: string,
): Promise<{ month: string; folder: string } | undefined> {
  return await findArchive(db, monthOf(day.slice(0, 7)));
}

async function findArchive(db: Db, month: Month | undefined) {
  const archive = month && (await selectArchive(db, month));
  return archive && { month: archive.month, folder: archive.folder };
}

async function inTurn(
  { open }: ArchiveContext,
  work: (session: Session) => Promise<Done | Refused>,
): Promise<Done | Refused> {
  const session = await open();
  try {
    await prepareSession(session);
    if (!(await takeTurn(session))) return refused('a month is being archived or restored already');
    return await work(session);
  } finally {
    await session.close();
  }
}

interface Work {
  parts: readonly Part[];
  folder: string;
  month: Month;
}

type Files = Omit<Work, 'parts'> & { tables: readonly ArchivedTable[] };

async function complaintsAbout(session: Session, { parts, folder, month }: Work) {
  const tables = await selectTables(session, month);
  const monthly = parts.filter(({ isMonthly }) => isMonthly);
  if (tables.filter((table) => table.is_attached).length < monthly.length) {
    return [`the shop has no tables of ${month.name}`];
  }
  const complaints = await unfinishedIn(session, month);
  return (await readManifest(folder)) === undefined
    ? complaints
    : [...complaints, `${folder} holds an archive already`];
}

/** New work may come up until the month is detached, so this is checked before and after. */
async function unfinishedIn(session: Session, month: Month): Promise<string[]> {
  const unfinished = await selectUnfinished(session, month);
  return unfinished.map(
    ({ what, count, examples }) => `${count} ${what}, such as ${examples.join(', ')}`,
  );
}

/** Reads one snapshot. The manifest comes last, because files without it are not an archive. */
async function writeFiles(session: Session, { parts, folder, month }: Work) {
  await beginReading(session);
  const tables: ArchivedTable[] = [];
  for (const part of parts) {
    const { name, columns } = part;
    const file = `${name}.csv.gz`;
    const digest = await digestOf(session, part, month);
    const size = await writeRows(folder, file, copyRows(session, part, month));
    tables.push({ name, file, columns, ...digest, ...size });
  }
  const schema = await selectSchema(session);
  await endReading(session);
  const manifest: Manifest = {
    format: 'pointgate-archive-1',
    month: month.name,
    schema,
    writtenAt: new Date().toISOString(),
    tables,
  };
  return { manifest, sha256: await writeManifest(folder, manifest) };
}

/** Waits for open reads without blocking other reads and writes meanwhile. */
async function detach(session: Session, month: Month): Promise<void> {
  for (const { name } of await selectTables(session, month)) {
    await retryOnLock(`detach ${name}`, async () => {
      const tables = await selectTables(session, month);
      const table = tables.find((other) => other.name === name);
      if (table?.is_attached !== true) return;
      await detachTable(session, { name, isPending: table.is_pending }, month);
    });
  }
}

/** Rewrites the files if rows were written before the tables were detached, or a file is damaged. */
async function verifyFiles(
  session: Session,
  work: Work,
): Promise<{ manifest: Manifest; sha256: string }> {
  const { parts, folder, month } = work;
  const written = await readManifest(folder);
  if (written !== undefined && (await isTrue(session, written.manifest, work))) return written;
  log.warn({ month: month.name, folder }, 'the files of a month are written again');
  const again = await writeFiles(session, { parts, folder, month });
  if (!(await isTrue(session, again.manifest, work))) {
    throw new Error(`files written to ${folder} are damaged`);
  }
  return again;
}

async function isTrue(session: Session, manifest: Manifest, { parts, folder, month }: Work) {
  for (const part of parts) {
    const table = manifest.tables.find(({ name }) => name === part.name);
    const { rows, digest } = await digestOf(session, part, month);
    if (table?.rows !== rows || table.digest !== digest) return false;
  }
  return (await damagedFiles(folder, manifest)).length === 0;
}

async function removeRows(session: Session, { parts, month }: Omit<Work, 'folder'>) {
  for (const part of parts.filter(({ isMonthly }) => !isMonthly)) {
    const deleteSome = () => deleteRows(session, part, month, rowsPerBatch);
    while (await retryOnLock(`delete from ${part.name}`, deleteSome)) {}
  }
  // Orders last, because the other tables reference them.
  for (const { name } of parts.filter(({ isMonthly }) => isMonthly).toReversed()) {
    await retryOnLock(`drop ${name}`, () => dropTable(session, name, month));
  }
}

/** Runs all slow steps on tables that are not attached yet. */
async function putBack(session: Session, { month, folder, tables }: Files): Promise<void> {
  const parts = await selectParts(session);
  const monthly = parts.filter(({ isMonthly }) => isMonthly).map(({ name }) => name);
  // Removes what an interrupted restore has left.
  for (const name of monthly.toReversed()) {
    await retryOnLock(`drop ${name}`, () => dropTable(session, name, month));
  }
  await createTables(session, month);
  for (const table of tables.filter(({ name }) => monthly.includes(name))) {
    await pipeline(readRows(folder, table.file), copyInto(session, table, month));
    await expectDigest(session, table, month);
  }
  await addBounds(session, month);
  await retryOnLock('add keys', () => addKeys(session, month));
  await validateKeys(session, month);
  for (const table of tables.filter(({ name }) => !monthly.includes(name))) {
    await createStage(session, table);
    await pipeline(readRows(folder, table.file), copyIntoStage(session, table));
    const insertSome = () => insertStaged(session, table, rowsPerBatch);
    while (await retryOnLock(`insert into ${table.name}`, insertSome)) {}
  }
  await retryOnLock('attach a month', () => attachTables(session, month));
}

/** Compares only the archived columns, because later migrations may have added others. */
async function expectDigest(session: Session, table: ArchivedTable, month: Month): Promise<void> {
  const { name, columns } = table;
  const { rows, digest } = await digestOf(session, { name, columns, isMonthly: true }, month);
  if (rows !== table.rows || digest !== table.digest) {
    throw new Error(`${name} of ${month.name} differs from what was archived`);
  }
}

function doneWith({ month, tables }: Manifest, folder: string): Done {
  const rowsByTable = Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
  return { month, folder, tables: rowsByTable };
}

function folderOf(below: string, { name }: Month): string {
  return join(resolve(below), name);
}

function refused(...complaints: string[]): Refused {
  return { complaints };
}
