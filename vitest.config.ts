import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Two, because that is what the smallest machine we build on has.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,server,sandbox,tools}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.db.test.ts'],
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
    ],
  },
});
