import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Two, because that is what the smallest machine we build on has.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,server,sandbox,tools,drills}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.db.test.ts', '**/*.drill.test.ts'],
        },
      },
      {
        test: {
          name: 'db',
          include: ['{server,tools}/**/*.db.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          // A real database on a busy machine.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic' } },
        test: {
          name: 'portal',
          include: ['portal/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
        },
      },
      { test: { name: 'tidy', include: ['tidy.test.ts'] } },
      {
        test: {
          name: 'drill',
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
