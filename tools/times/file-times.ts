import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter } from 'vitest/node';

/** What one test file took, in milliseconds. `costs` are parts of `tests`, where helpers count them. */
export interface FileTime {
  file: string;
  project: string;
  /** Starting the worker's environment, and loading what the file imports. */
  load: number;
  /** Tests with their hooks. */
  tests: number;
  costs: Record<string, number>;
}

export const fileTimesReport = '.pointgate/reports/file-times.jsonl';

/** A reporter that adds a line for every test file, so that several runs make one table. */
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
