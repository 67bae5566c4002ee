import { type Browser, type BrowserType, test as base } from '@playwright/test';

const launchesMax = 3;

/** Tests with a browser. Those that need a shop build on it in shop.ts. */
export const test = base.extend<object, { browser: Browser }>({
  browser: [
    async ({ playwright }, use) => {
      const browser = await launch(playwright.chromium);
      await use(browser);
      await browser.close({ reason: 'The tests have ended.' });
    },
    { scope: 'worker', timeout: 0 },
  ],
});

/**
 * Chromium rarely crashes as it starts, before it has opened a page (a segmentation fault, once in
 * some thousand launches). Such a crash says nothing about the shop, so the launch is repeated; a
 * crash later fails the test.
 */
async function launch(chromium: BrowserType): Promise<Browser> {
  for (let launches = 1; ; launches += 1) {
    try {
      // Without options: Playwright takes those of the configuration.
      return await chromium.launch();
    } catch (error) {
      if (launches === launchesMax) throw error;
      const end = String(error).match(/process did exit: ([^>]*)>/)?.[1] ?? 'no exit status';
      process.stdout.write(`Launch ${launches} of Chromium failed (${end}); trying again\n`);
    }
  }
}
