import { defineConfig } from 'vitest/config';
import { fileTimes } from './tools/times/file-times.ts';

// Long timeouts: a hanging test still fails, and a slow one on a busy machine does not.
const patience = {
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
};

// Default exports of CommonJS modules are interpreted as in Node.
const asInNode = { deps: { interopDefault: false } };

export default defineConfig({
  test: {
    // Three, for machines with two cores: a worker waits for PostgreSQL a third of its time.
    maxWorkers: 3,
    reporters: ['default', 'json', fileTimes(import.meta.dirname)],
    // Scripts that read a report later pass a file name of their own.
    outputFile: { json: '.pointgate/reports/latest.json' },
    projects: [
      {
        test: {
          name: 'unit',
          ...asInNode,
          include: [
            '{contract,server,auditor,sandbox,tools,drills}/**/*.test.ts',
            'portal/test/**/*.test.ts',
          ],
          isolate: false,
          exclude: [
            '**/node_modules/**',
            '**/*.{db,drill,conformance,measure}.test.ts',
            'tools/asvs/**',
          ],
          ...patience,
        },
      },
      {
        test: {
          name: 'db',
          ...asInNode,
          include: ['{server,auditor,tools}/**/*.db.test.ts'],
          // Without isolation a worker loads the server once, which takes longer than most test
          // files.
          isolate: false,
          globalSetup: ['server/test/global-setup.ts'],
          setupFiles: ['server/test/tell-costs.ts'],
          ...patience,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic' } },
        test: {
          name: 'portal',
          include: ['portal/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          // Workers load jsdom once and give each file a separate window with its own modules.
          pool: 'vmThreads',
          setupFiles: ['portal/test/reveal-at-once.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'conformance',
          ...asInNode,
          include: ['server/test/conformance/*.conformance.test.ts'],
          isolate: false,
          globalSetup: ['server/test/global-setup.ts'],
          setupFiles: ['server/test/tell-costs.ts'],
          ...patience,
        },
      },
      {
        test: {
          // Compares durations, so it needs an idle machine and is not part of the gate.
          name: 'measure',
          ...asInNode,
          include: ['{server,tools}/**/*.measure.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          fileParallelism: false,
          ...patience,
        },
      },
      // Run by `npm run check`: the house rules, and the evidence in docs/asvs.
      { test: { name: 'tidy', include: ['tidy.test.ts', 'tools/asvs/*.test.ts'], ...patience } },
      {
        test: {
          name: 'drill',
          ...asInNode,
          include: ['drills/**/*.drill.test.ts'],
          // Each test runs a shop of several processes and needs the machine for itself.
          fileParallelism: false,
          testTimeout: 30 * 60_000,
          hookTimeout: 5 * 60_000,
          // Progress is printed immediately.
          disableConsoleIntercept: true,
        },
      },
    ],
  },
});
