// Audits the database that it is told of on standard input, as {"databaseUrl": …, "months": […] or null,
// "games": […], "accounts": […]}, asks those games what they gave and those accounts with providers what they
// took and gave back, and writes a line of JSON for whatever it has to say: how far it is, and in the end what
// it found or why it could not look. Ends with 0 if all is in order, with 1 if it is not, and with 2 if it
// could not be read or somebody could not be asked.
// npm run operate -- audit keeps the result.
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { type Audit, auditDatabase } from './audit-database.ts';
import { AskedAccount, askOutside } from './outside/ask-outside.ts';
import { AskedGame } from './outside/game-list.ts';
import { reasonOf } from './reason.ts';
import { notAskedIn, reportOf } from './report.ts';

const Question = z.strictObject({
  databaseUrl: z.string(),
  months: z.array(z.string()).nullable(),
  games: z.array(AskedGame),
  accounts: z.array(AskedAccount),
});

const tell = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const { databaseUrl, months, ...parties } = Question.parse(
    JSON.parse(await readText(process.stdin)),
  );
  const audit = await auditDatabase({
    databaseUrl,
    ...(months === null ? {} : { months }),
    outside: askOutside(parties, Date.now()),
    onProgress: (progress) => tell({ progress }),
  });
  const { text: report, isGreen } = reportOf(audit.findings);
  const notAsked = notAskedIn(audit.findings);
  const text = [report, ...aboutMonths(audit)].join('\n');
  tell({ audit: { ...audit, isGreen, notAsked, report: text } });
  const isBroken = audit.findings.some(({ broken }) => broken > 0);
  process.exitCode = isBroken ? 1 : isGreen ? 0 : 2;
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
