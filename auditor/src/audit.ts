// Audits the database that is named on standard input as {"databaseUrl": …, "months": […] or null,
// "games": […], "accounts": […]}. Compares with the grants of these games and with the charges and
// refunds of these provider accounts. Writes its progress and its result, or the reason why it
// failed, as lines of JSON. Exit status: 0 if no invariant is broken, 1 if one is, 2 if the
// database or an external party could not be read. `npm run operate -- audit` runs this program and
// stores the result.
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

const writeLine = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const { databaseUrl, months, ...parties } = Question.parse(
    JSON.parse(await readText(process.stdin)),
  );
  const audit = await auditDatabase({
    databaseUrl,
    ...(months === null ? {} : { months }),
    outside: askOutside(parties, Date.now()),
    onProgress: (progress) => writeLine({ progress }),
  });
  const { text: report, isGreen } = reportOf(audit.findings);
  const notAsked = notAskedIn(audit.findings);
  const text = [report, ...uncheckedMonths(audit)].join('\n');
  writeLine({ audit: { ...audit, isGreen, notAsked, report: text } });
  const isBroken = audit.findings.some(({ broken }) => broken > 0);
  process.exitCode = isBroken ? 1 : isGreen ? 0 : 2;
} catch (error) {
  writeLine({ failure: reasonOf(error) });
  process.exitCode = 2;
}

/** Months of which the audit claims nothing. */
function uncheckedMonths({ months }: Audit): string[] {
  return months
    .filter(({ state }) => state === 'archived' || state === 'moving')
    .map(({ month, state }) =>
      state === 'archived'
        ? `${month} is archived: its ledger was compared with its archive, its orders were not checked.`
        : `${month} is being archived or restored: its orders were not checked.`,
    );
}
