import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  outputDir: '../.pointgate/e2e-results',
  // Each worker runs a whole shop; the smallest machine we build on has two cores for all of it.
  workers: 1,
  // A test that passes on the second try has found a bug.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: '../.pointgate/reports/playwright.json' }]],
  projects: [
    // Neither the gallery nor Lighthouse is a part of this: they have configurations of their own.
    { name: 'journeys', testIgnore: ['canary.spec.ts', 'gallery/**', 'lighthouse/**', 'walk/**'] },
    // Thousands of looks at a page; a trace of them all would take longer than they do.
    { name: 'walk', testMatch: 'walk/*.spec.ts', timeout: 300_000, use: { trace: 'off' } },
    // What they have left behind is looked at when all of them are over.
    { name: 'canary', testMatch: 'canary.spec.ts', dependencies: ['journeys'] },
  ],
  use: {
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        // CI runs as root, where Chromium's own sandbox does not start. It visits only our pages.
        '--no-sandbox',
        '--disable-gpu',
        // The rest keeps it from calling home: a build machine may have no way out.
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
