import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

// Screenshots of every screen on one HTML page: npm run gallery
export default defineConfig({
  ...base,
  testDir: '.',
  workers: 1,
  outputDir: '../../.pointgate/gallery-results',
  projects: [{ name: 'gallery', use: { trace: 'off', screenshot: 'off' } }],
  reporter: [['list']],
  timeout: 900_000,
});
