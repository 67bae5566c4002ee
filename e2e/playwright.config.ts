import { defineConfig } from '@playwright/test';
import { chromiumPath } from '../tools/chromium.ts';

/** How players come in and what they read: about half of the time that all tests take. */
const waysIn = [
  ...['account.spec.ts', 'news.spec.ts', 'portal.spec.ts', 'records.spec.ts'],
  'sign-in-*.spec.ts',
];
/** What is typed, sent and kept, and whether it shows anywhere. */
const secrets = ['canary.spec.ts', 'left-behind.spec.ts'];
// The walk, the gallery and Lighthouse have configurations of their own.
const elsewhere = ['gallery/**', 'lighthouse/**', 'walk/**'];

// Only the last of these switches counts, so Playwright's own come first. The rest are parts of the address
// bar: a process for each window, which nobody sees.
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
  // One for each lane below.
  workers: 2,
  // A test that passes on the second try has found a bug.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  // What hangs is still found. What is only slow, on a machine that stands still for a while, is not broken.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: '../.pointgate/reports/playwright.json' }]],
  // Two lanes, because the smallest machine we build on has two cores. Each has a shop of its own and always
  // the same tests in the same order: what one meets of another does not depend on who was faster.
  projects: [
    { name: 'ways-in', testMatch: waysIn, workers: 1 },
    { name: 'journeys', testIgnore: [...waysIn, ...secrets, ...elsewhere], workers: 1 },
    // In the place of whichever lane ends first.
    { name: 'canary', testMatch: 'canary.spec.ts', workers: 1 },
    // What they have left behind is looked at when all of them are over.
    {
      name: 'left-behind',
      testMatch: 'left-behind.spec.ts',
      dependencies: ['ways-in', 'journeys', 'canary'],
    },
  ],
  use: {
    // Recording takes a sixth of a run. Whoever looks for a fault adds --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    // What turns and glints for ever is drawn without a graphics card, sixty times a second. And a colour
    // half-way through a transition is nobody's.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: chromiumPath,
      args: [
        // CI runs as root, where Chromium's own sandbox does not start. It visits only our pages.
        '--no-sandbox',
        '--disable-gpu',
        '--in-process-gpu',
        // The rest keeps it from calling home: a build machine may have no way out.
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
