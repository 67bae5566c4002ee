import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  json,
  listOf,
  nullable,
  object,
  oneOf,
  type ReadBy,
  text,
  whole,
} from '../platform/shape.ts';
import { recordEvent } from './events.ts';
import { missing } from './failure.ts';
import { newId } from './ids.ts';
import type { WireObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { addFilePart, beginFile, fileObject, fileOfRun, finishFile } from './report-files.ts';
import { type ReportParams, reportType } from './report-params.ts';
import { settlementParts } from './settlement.ts';
import { defaultColumns } from './settlement-text.ts';

const paramsReader = object<ReportParams>({
  interval_start: whole,
  interval_end: whole,
  columns: listOf(text),
  currency: nullable(text),
  reporting_category: nullable(text),
});

const runRow = object({
  id: text,
  created: whole,
  report_type: text,
  parameters: json(paramsReader),
  status: oneOf(['pending', 'succeeded', 'failed']),
  retrievals: whole,
  succeeded_at: nullable(whole),
});
export type ReportRun = ReadBy<typeof runRow>;

export function createReportRun(provider: Provider, params: ReportParams): ReportRun {
  const id = newId('frr_');
  provider.db.run(
    `insert into report_runs (id, created, report_type, parameters, status)
     values (?, ?, ?, ?, 'pending')`,
    id,
    provider.clock.nowSeconds(),
    reportType,
    JSON.stringify(params),
  );
  return getRun(provider, id);
}

/**
 * The first query answers pending and starts to write the file, so that a shop has to poll; the run
 * succeeds when the file is complete. A planned outcome replaces this.
 */
export function retrieveReportRun(
  provider: Provider,
  { id, origin }: { id: string; origin: string },
): ReportRun {
  const before = getRun(provider, id);
  provider.db.run('update report_runs set retrievals = retrievals + 1 where id = ?', id);
  const { outcome } = provider.reportPlan;
  if (before.status !== 'pending' || outcome === 'pending') return before;
  if (outcome === 'failed') {
    return before.retrievals === 0 ? before : end(provider, { id, origin, outcome });
  }
  if (fileOfRun(provider, id) !== undefined) return end(provider, { id, origin, outcome });
  startWriting(provider, before);
  return before;
}

export function reportRunObject(provider: Provider, row: ReportRun, origin: string): WireObject {
  const { columns, currency, reporting_category, interval_end, interval_start } = row.parameters;
  const file = fileOfRun(provider, row.id);
  return {
    id: row.id,
    object: 'reporting.report_run',
    created: row.created,
    error: row.status === 'failed' ? 'An internal error occurred.' : null,
    livemode: false,
    parameters: {
      ...(columns.length === 0 ? {} : { columns }),
      ...(currency === null ? {} : { currency }),
      interval_end,
      interval_start,
      ...(reporting_category === null ? {} : { reporting_category }),
    },
    report_type: row.report_type,
    result: file === undefined ? null : fileObject(file, origin),
    status: row.status,
    succeeded_at: row.succeeded_at,
  };
}

/** The only report type; its data_available_end tells up to when there is data. */
export function reportTypeObject(provider: Provider, id: string): WireObject {
  if (id !== reportType) throw missing({ kind: 'reporting report_type', id, param: 'report_type' });
  const now = provider.clock.nowSeconds();
  return {
    id: reportType,
    object: 'reporting.report_type',
    data_available_end: provider.reportPlan.availableUntil ?? now,
    data_available_start: 0,
    default_columns: defaultColumns,
    livemode: false,
    name: 'Itemized balance change from activity',
    updated: now,
    version: 3,
  };
}

function end(
  provider: Provider,
  input: { id: string; origin: string; outcome: 'succeeded' | 'failed' },
): ReportRun {
  const { id, origin, outcome } = input;
  provider.db.run(
    'update report_runs set status = ?, succeeded_at = ? where id = ?',
    outcome,
    outcome === 'succeeded' ? provider.clock.nowSeconds() : null,
    id,
  );
  const run = getRun(provider, id);
  recordEvent(provider, {
    type: `reporting.report_run.${outcome}`,
    object: reportRunObject(provider, run, origin),
    request: null,
  });
  return run;
}

/** In characters. */
const smallPart = 50_000;

/** Writes the file in the background: a million lines must not block other requests. */
function startWriting(provider: Provider, { id, parameters }: ReportRun): void {
  const { db, filesInWork, ending } = provider;
  if (filesInWork.has(id)) return;
  const work = async () => {
    await nextTurn();
    const file = db.transaction(() => beginFile(provider, id));
    let size = 0;
    for (const part of settlementParts(provider, parameters)) {
      db.transaction(() => addFilePart(provider, { file, part }));
      size += Buffer.byteLength(part);
      // A small file is complete before the next query.
      if (part.length > smallPart) await nextTurn();
      if (ending.signal.aborted) return;
    }
    db.transaction(() => finishFile(provider, { file, size }));
  };
  const done = work()
    .catch((error: unknown) => {
      process.stderr.write(`the file of ${id} could not be written: ${String(error)}\n`);
    })
    .finally(() => filesInWork.delete(id));
  filesInWork.set(id, done);
}

function getRun(provider: Provider, id: string): ReportRun {
  const row = provider.db.one(runRow, 'select * from report_runs where id = ?', id);
  if (row === undefined) throw missing({ kind: 'reporting report_run', id, param: 'report_run' });
  return row;
}
