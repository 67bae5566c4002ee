import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monthReport } from '../money/accounting/accounting.ts';
import { openSession } from '../platform/connections.ts';
import { connectionOf, type Shop } from '../wiring/app.ts';
import { type Call, refuse } from './operator-call.ts';

/** Writes the report files of a month into a folder, replacing existing ones. */
export async function reportMonth({ config }: Shop, { values }: Call) {
  const [month = refuse('--month is missing'), ...more] = values.month ?? [];
  if (more.length > 0) refuse('a report is of one month');
  const report = await monthReport(() => openSession(connectionOf(config, 'api')), month);
  if (report === undefined) return refuse(`${month} is no month as 2025-01 is`);
  const folder = values.folder ?? `report-${month}`;
  await mkdir(folder, { recursive: true });
  for (const { name, text } of report.files) await writeFile(join(folder, name), text);
  const { status, reasons, files } = report;
  return { month, status, reasons, folder, files: files.map(({ name }) => name) };
}
