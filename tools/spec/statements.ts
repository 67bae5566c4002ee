import type { TestResult } from '../reports/reports.ts';

export type Statement = { id: string; text: string };

/** Reads the table of statements: one a line, with id, area and statement between tabs. */
export function parseStatements(table: string): Statement[] {
  const [, ...lines] = table.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [id, , text] = line.split('\t');
    if (!id || !text) throw new Error(`Not a statement: ${line}`);
    return { id, text };
  });
}

/**
 * Which statements tests have proven. A title names them in brackets: [S1.01] or [S1.01, S1.02]. One
 * that any failed test names is not proven, however many others passed.
 */
export function judge(
  statements: readonly Statement[],
  results: readonly TestResult[],
): { proven: Statement[]; open: Statement[]; unknownIds: string[] } {
  const named = (status?: TestResult['status']) =>
    new Set(
      results
        .filter((result) => status === undefined || result.status === status)
        .flatMap((result) => idsIn(result.title)),
    );
  const [passed, failed] = [named('passed'), named('failed')];
  const isProven = ({ id }: Statement) => passed.has(id) && !failed.has(id);
  const known = new Set(statements.map(({ id }) => id));
  return {
    proven: statements.filter(isProven),
    open: statements.filter((statement) => !isProven(statement)),
    unknownIds: [...named()].filter((id) => !known.has(id)).sort(),
  };
}

function idsIn(title: string): string[] {
  const brackets = title.match(/\[S\d+\.\d+(?:[,\s]+S\d+\.\d+)*\]/g) ?? [];
  return brackets.flatMap((text) => text.match(/S\d+\.\d+/g) ?? []);
}
