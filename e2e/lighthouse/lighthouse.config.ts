import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

// Lighthouse scores of the shop on a phone with a slow network: npm run lighthouse
export default defineConfig({
  ...base,
  testDir: '.',
  workers: 1,
  outputDir: '../../.pointgate/lighthouse-results',
  projects: [{ name: 'lighthouse', use: { trace: 'off', screenshot: 'off' } }],
  reporter: [['list']],
  timeout: 900_000,
});
