import { object, type ReadBy, text, whole } from '../platform/shape.ts';
import { missing } from './failure.ts';
import { newId } from './ids.ts';
import type { WireObject } from './objects.ts';
import type { Provider } from './provider.ts';

const fileRow = object({ id: text, created: whole, run: text, size: whole });
export type FileRow = ReadBy<typeof fileRow>;

/** How long a file can be downloaded. */
const keptSeconds = 365 * 24 * 3600;

/** Creates the file of a run; discards an unfinished one of an earlier process. */
export function beginFile(provider: Provider, run: string): string {
  provider.db.run('delete from file_parts where file in (select id from files where run = ?)', run);
  provider.db.run('delete from files where run = ?', run);
  const id = newId('file_');
  const now = provider.clock.nowSeconds();
  provider.db.run('insert into files (id, created, run) values (?, ?, ?)', id, now, run);
  return id;
}

export function addFilePart(provider: Provider, { file, part }: { file: string; part: string }) {
  provider.db.run('insert into file_parts (file, text) values (?, ?)', file, part);
}

/** Completes the file: it can be downloaded from now on and no longer changes. */
export function finishFile(provider: Provider, { file, size }: { file: string; size: number }) {
  provider.db.run('update files set size = ? where id = ?', size, file);
}

export function getFile(provider: Provider, id: string): FileRow {
  const row = provider.db.one(fileRow, 'select * from files where id = ? and size is not null', id);
  if (row === undefined) throw missing({ kind: 'file', id, param: 'file' });
  return row;
}

export function fileOfRun(provider: Provider, run: string): FileRow | undefined {
  return provider.db.one(fileRow, 'select * from files where run = ? and size is not null', run);
}

/** Streams the parts, so that a file of a million lines is never held in memory. */
export function* filePartsOf(provider: Provider, id: string): Iterable<string> {
  const reader = object({ id: whole, text });
  const next = (after: number) =>
    provider.db.one(
      reader,
      'select id, text from file_parts where file = ? and id > ? order by id limit 1',
      id,
      after,
    );
  for (let part = next(0); part !== undefined; part = next(part.id)) yield part.text;
}

export function fileObject(row: FileRow, origin: string): WireObject {
  return {
    id: row.id,
    object: 'file',
    created: row.created,
    expires_at: row.created + keptSeconds,
    filename: `${row.run}.csv`,
    links: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/file_links?file=${row.id}`,
    },
    purpose: 'finance_report_run',
    size: row.size,
    title: `FinanceReportRun ${row.run}`,
    type: 'csv',
    url: `${origin}/v1/files/${row.id}/contents`,
  };
}
