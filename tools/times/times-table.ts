import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playwrightReport, walkReport } from '../reports/reports.ts';
import { type FileTime, fileTimesReport } from './file-times.ts';

export interface StepTime {
  name: string;
  seconds: number;
}

const filesShown = 40;
// Categories that test helpers measure; the rest is the tests' own work.
const causes = {
  clone: 'database',
  sandbox: 'sandbox',
  shop: 'shop',
  program: 'processes',
  wait: 'waiting',
};

/**
 * A table with the durations of all steps and of the slowest test files, with their categories.
 */
export function timesTable(root: string, steps: readonly StepTime[]): string {
  const files = [
    ...readFileTimes(root),
    ...readSpecTimes(join(root, playwrightReport), 'e2e'),
    ...readSpecTimes(join(root, walkReport), 'walk'),
  ].toSorted((one, other) => totalOf(other) - totalOf(one));
  const head = ['total', 'load', ...Object.values(causes), 'rest', 'file'];
  return [
    'Seconds by step; steps of two lanes run side by side',
    ...steps.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(9)}  ${name}`),
    '',
    `Seconds by file, the slowest ${filesShown} of ${files.length}`,
    lineOf(head),
    ...files.slice(0, filesShown).map(rowOf),
    lineOf([...sumsOf(files), `all ${files.length} files`]),
    '',
  ].join('\n');
}

function rowOf(file: FileTime): string {
  return lineOf([...sumsOf([file]), `${file.project}  ${file.file}`]);
}

function sumsOf(files: readonly FileTime[]): string[] {
  const sum = (part: (file: FileTime) => number) =>
    files.reduce((total, file) => total + part(file), 0);
  const costs = Object.keys(causes).map((cause) => sum((file) => file.costs[cause] ?? 0));
  const rest = sum(({ tests }) => tests) - costs.reduce((total, cost) => total + cost, 0);
  // Concurrent preparations can add up to more than the elapsed time.
  return [sum(totalOf), sum(({ load }) => load), ...costs, Math.max(rest, 0)].map((ms) =>
    (ms / 1000).toFixed(1),
  );
}

function totalOf({ load, tests }: FileTime): number {
  return load + tests;
}

function lineOf(cells: readonly string[]): string {
  const last = cells.at(-1) ?? '';
  return [...cells.slice(0, -1).map((cell) => cell.padStart(9)), `  ${last}`].join('');
}

function readFileTimes(root: string): FileTime[] {
  const path = join(root, fileTimesReport);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as FileTime);
}

type TimedSuite = {
  file?: string;
  specs?: { tests: { results: { duration: number }[] }[] }[];
  suites?: TimedSuite[];
};

/** Durations by file of a Playwright run, which has no categories. */
function readSpecTimes(path: string, project: string): FileTime[] {
  if (!existsSync(path)) return [];
  const { suites } = JSON.parse(readFileSync(path, 'utf8')) as { suites: TimedSuite[] };
  return suites.map((suite) => ({
    file: suite.file ?? '',
    project,
    load: 0,
    tests: durationOf(suite),
    costs: {},
  }));
}

function durationOf({ specs = [], suites = [] }: TimedSuite): number {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration)),
  );
  return [...own, ...suites.map(durationOf)].reduce((sum, ms) => sum + ms, 0);
}
