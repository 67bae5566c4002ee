import { defineConfig } from '@playwright/test';
import { chromiumPath } from '../tools/chromium.ts';

/** The lane of sign-in and account tests, which take about half of the total time. */
const signInSpecs = [
  ...['account.spec.ts', 'news.spec.ts', 'portal.spec.ts', 'records.spec.ts'],
  'sign-in-*.spec.ts',
];
/** The tests that search for leaked secrets. */
const secrets = ['canary.spec.ts', 'leaked-secrets.spec.ts'];
// The walk, the gallery and Lighthouse have configurations of their own.
const elsewhere = ['gallery/**', 'lighthouse/**', 'walk/**'];

// Chromium uses only the last --disable-features, so Playwright's own features are repeated first.
// The rest belong to the address bar, which would start an invisible process for each window.
const disabledFeatures = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
  ...[
    'PreloadTopChromeWebUI',
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
  ],
];

export default defineConfig({
  testDir: '.',
  outputDir: '../.pointgate/e2e-results',
  // One worker for each of the two lanes below.
  workers: 2,
  // No retries: a test that passes only on the second attempt has found a bug.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // Long enough for a stalled machine, short enough to find a test that hangs.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '../.pointgate/reports/playwright.json' }]],
  // Two lanes, because the smallest build machine has two cores. Each lane has its own shop and
  // runs the same tests in the same order, so that the interference between tests does not depend
  // on timing.
  projects: [
    { name: 'sign-in', testMatch: signInSpecs, workers: 1 },
    { name: 'journeys', testIgnore: [...signInSpecs, ...secrets, ...elsewhere], workers: 1 },
    // Starts when the first lane has ended.
    { name: 'canary', testMatch: 'canary.spec.ts', workers: 1 },
    // Searches for leaked secrets after all other tests have ended.
    {
      name: 'leaked-secrets',
      testMatch: 'leaked-secrets.spec.ts',
      dependencies: ['sign-in', 'journeys', 'canary'],
    },
  ],
  use: {
    // Traces take a sixth of a run; add --trace on to debug.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Endless animations are expensive without a graphics card, and axe would measure colours in
    // the middle of a transition.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: chromiumPath,
      args: [
        // CI runs as root, where Chromium's own sandbox does not start. Only our own pages are
        // visited.
        '--no-sandbox',
        '--disable-gpu',
        '--in-process-gpu',
        // The remaining switches prevent background requests: a build machine may have no internet.
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${disabledFeatures.join()}`,
      ],
    },
  },
});
