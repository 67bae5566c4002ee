import { defineConfig } from 'vitest/config';
import { fileTimes } from './tools/times/file-times.ts';

// What hangs is still found. What is only slow, on a busy machine, is not taken for broken.
const patience = {
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } },
};

// A default export of CommonJS is what Node says it is, in tests as in the shop.
const asInNode = { deps: { interopDefault: false } };

export default defineConfig({
  test: {
    // The smallest machine we build on has two cores; a worker waits for PostgreSQL a third of its time.
    maxWorkers: 3,
    reporters: ['default', 'json', fileTimes(import.meta.dirname)],
    // Scripts whose report is read later name a file of its own.
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
          // Loading the server takes longer than most files take to test it; a worker loads it once.
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
          // A worker loads jsdom once and gives each file a window of its own, with its own modules.
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
          // These compare durations, so they want the machine for themselves and are no part of the gate.
          name: 'measure',
          ...asInNode,
          include: ['{server,tools}/**/*.measure.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          fileParallelism: false,
          ...patience,
        },
      },
      // What `npm run check` runs: the house rules, and whether what docs/asvs.md names is there.
      { test: { name: 'tidy', include: ['tidy.test.ts', 'tools/asvs/*.test.ts'], ...patience } },
      {
        test: {
          name: 'drill',
          ...asInNode,
          include: ['drills/**/*.drill.test.ts'],
          // Each runs a whole shop of several processes and wants the machine for itself.
          fileParallelism: false,
          testTimeout: 30 * 60_000,
          hookTimeout: 5 * 60_000,
          // It says how far it is, at the moment it is there.
          disableConsoleIntercept: true,
        },
      },
    ],
  },
});
