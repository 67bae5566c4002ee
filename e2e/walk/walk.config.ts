import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

// Every screen in every language, looked at by a program: npm run walk
export default defineConfig({
  ...base,
  testDir: '.',
  workers: 1,
  outputDir: '../../.pointgate/walk-results',
  // Thousands of looks at a page; a trace of them all would take longer than they do.
  projects: [{ name: 'walk', use: { trace: 'off', screenshot: 'off' } }],
  reporter: [['list'], ['json', { outputFile: '../../.pointgate/reports/walk.json' }]],
  timeout: 900_000,
});
