import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { monthReport } from './accounting.ts';

export const action = operatorAction({
  name: 'report',
  summary: 'Writes the books of a month as CSV files into a folder, over existing ones.',
  details: 'Without a folder it is `report-<month>`.',
  examples: ['report --month 2026-10 --folder books/2026-10'],
  permission: 'books.read',
  input: z.strictObject({ month: z.string(), folder: z.string().optional() }),
  effect: 'reads',
  run: async ({ openSession }, { month, folder = `report-${month}` }) => {
    const report = await monthReport(openSession, month);
    if (report === undefined) return refuse(`${month} is no month as 2025-01 is`);
    await mkdir(folder, { recursive: true });
    for (const { name, text } of report.files) await writeFile(join(folder, name), text);
    const { status, reasons, files } = report;
    return { month, status, reasons, folder, files: files.map(({ name }) => name) };
  },
});
