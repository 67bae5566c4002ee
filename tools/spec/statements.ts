import type { TestResult } from '../reports/reports.ts';

export type Statement = { id: string; text: string };

/** Parses the table of statements: one per line, with id, area and statement separated by tabs. */
export function parseStatements(table: string): Statement[] {
  const [, ...lines] = table.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [id, , text] = line.split('\t');
    if (!id || !text) throw new Error(`Not a statement: ${line}`);
    return { id, text };
  });
}

/**
 * Determines the proven statements. A title contains ids in brackets: [S1.01] or [S1.01, S1.02]. A
 * statement named by a failed test is not proven, even if other tests passed.
 */
export function evaluateStatements(
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
