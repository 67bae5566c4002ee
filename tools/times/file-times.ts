import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter } from 'vitest/node';

/**
 * The durations of one test file in milliseconds. `costs` are parts of `tests` that helpers
 * measure.
 */
export interface FileTime {
  file: string;
  project: string;
  /** Starting the worker's environment, and loading the imports of the file. */
  load: number;
  /** The tests with their hooks. */
  tests: number;
  costs: Record<string, number>;
}

export const fileTimesReport = '.pointgate/reports/file-times.jsonl';

/** A reporter that appends a line for each test file, so that several runs share a table. */
export function fileTimes(root: string): Reporter {
  return {
    onTestModuleEnd: (testModule) => {
      const {
        environmentSetupDuration,
        prepareDuration,
        collectDuration,
        setupDuration,
        duration,
      } = testModule.diagnostic();
      const line: FileTime = {
        file: relative(root, testModule.moduleId),
        project: testModule.project.name,
        load: environmentSetupDuration + prepareDuration + collectDuration + setupDuration,
        tests: duration,
        costs: { ...testModule.meta().costs },
      };
      const path = join(root, fileTimesReport);
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    },
  };
}
