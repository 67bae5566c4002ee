import { join } from 'node:path';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';

/** Tests of one file, chosen by a part of their names. */
type NamedTests = { file: string; name: string };

export type TestOutcome = {
  /** The number of completed tests. */
  ran: number;
  failed: string[];
  /** Reasons why tests did not run: a file that cannot be loaded, a failed hook, a dead worker. */
  errors: string[];
};

export interface TestRunner {
  run(tests: readonly NamedTests[]): Promise<TestOutcome>;
  /** To be called after a file was changed, so that later runs load it again. */
  reload(file: string): void;
  close(): Promise<void>;
}

/**
 * Keeps one Vitest for all runs in a folder, because starting it, its servers and the migrated
 * database takes much longer than one test. Each run has new worker processes, which load the code
 * again.
 */
export async function openTestRunner(folder: string): Promise<TestRunner> {
  let outcome: TestOutcome = { ran: 0, failed: [], errors: [] };
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const vitest = await createVitest(
    {
      root: folder,
      watch: false,
      project: ['unit', 'db'],
      reporters: [
        {
          // Vitest's own result also contains tests of earlier runs.
          onTestCaseResult: (test) => {
            const { state } = test.result();
            if (state !== 'skipped') outcome.ran += 1;
            if (state === 'failed') outcome.failed.push(test.fullName);
          },
          onTestSuiteResult: (suite) => void outcome.errors.push(...suite.errors().map(textOf)),
          onTestModuleEnd: (module) => void outcome.errors.push(...module.errors().map(textOf)),
        },
      ],
    },
    {},
    { stdout: silent, stderr: silent },
  );
  return {
    run: async (tests) => {
      outcome = { ran: 0, failed: [], errors: [] };
      const { unhandledErrors } = await vitest.runTestSpecifications(
        specificationsOf(vitest, { folder, tests }),
      );
      outcome.errors.push(...unhandledErrors.map(textOf));
      return outcome;
    },
    reload: (file) => vitest.invalidateFile(join(folder, file)),
    close: () => vitest.close(),
  };
}

function specificationsOf(
  vitest: Vitest,
  { folder, tests }: { folder: string; tests: readonly NamedTests[] },
): TestSpecification[] {
  const byFile = Map.groupBy(tests, ({ file }) => join(folder, file));
  return [...byFile].map(([path, named]) => {
    const project = vitest.projects.find((candidate) => candidate.matchesTestGlob(path));
    if (project === undefined) throw new Error(`${path} is not a test file`);
    const names = named.map(({ name }) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return project.createSpecification(path, { testNamePattern: new RegExp(names.join('|')) });
  });
}

function textOf(error: unknown): string {
  const { message } = error as { message?: string };
  return stripVTControlCharacters(message ?? String(error));
}
