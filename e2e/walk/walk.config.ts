import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

// Checks every screen in every language: npm run walk
export default defineConfig({
  ...base,
  testDir: '.',
  workers: 1,
  outputDir: '../../.pointgate/walk-results',
  // A trace of thousands of checks would take longer than the checks themselves.
  projects: [{ name: 'walk', use: { trace: 'off', screenshot: 'off' } }],
  reporter: [['list'], ['json', { outputFile: '../../.pointgate/reports/walk.json' }]],
  timeout: 900_000,
});
