// Audits the database that it is told of on standard input, as {"databaseUrl": …, "months": […] or null}, and
// writes a line of JSON for whatever it has to say: how far it is, and in the end what it found or why it
// could not look. Ends with 0 if all is in order, with 1 if it is not, and with 2 if it could not be read.
// npm run operate -- audit keeps the result.
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { type Audit, auditDatabase } from './audit-database.ts';
import { reasonOf } from './reason.ts';
import { reportOf } from './report.ts';

const Question = z.strictObject({
  databaseUrl: z.string(),
  months: z.array(z.string()).nullable(),
});

const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const { databaseUrl, months } = Question.parse(JSON.parse(await text(process.stdin)));
  const audit = await auditDatabase({
    databaseUrl,
    ...(months === null ? {} : { months }),
    onProgress: (progress) => tell({ progress }),
  });
  const { text: report, isGreen } = reportOf(audit.findings);
  tell({ audit: { ...audit, isGreen, report: [report, ...aboutMonths(audit)].join('\n') } });
  process.exitCode = isGreen ? 0 : 1;
} catch (error) {
  tell({ failure: reasonOf(error) });
  process.exitCode = 2;
}

/** What nothing is claimed of. */
function aboutMonths({ months }: Audit): string[] {
  return months
    .filter(({ state }) => state === 'archived' || state === 'moving')
    .map(({ month, state }) =>
      state === 'archived'
        ? `${month} is archived: its ledger was compared with its archive, its orders were not judged.`
        : `${month} is being archived or restored: its orders were not judged.`,
    );
}
