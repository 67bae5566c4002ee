import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { z } from 'zod';

// What the portal's inspect-page says of a page. It is put into every page of a walk.

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Builds it and answers where it is. */
export async function inspectionScript(): Promise<string> {
  const portal = createRequire(join(root, 'portal/package.json'));
  const vite = join(dirname(portal.resolve('vite/package.json')), 'bin/vite.js');
  const config = join(root, 'portal/test/inspect-page/inspect-page.config.ts');
  await run(process.execPath, [vite, 'build', '--config', config]);
  return join(root, '.pointgate/inspect-page/page.js');
}

const Seen = z.object({
  texts: z.array(z.object({ text: z.string(), language: z.string() })),
  /** What hides text or makes the page hard to use, one line each. */
  faults: z.array(z.string()),
});
export type ShownText = z.output<typeof Seen>['texts'][number];

/** Looks at a page as a player does, with a finger or with a mouse. */
export async function look(page: Page, isTouched: boolean): Promise<z.output<typeof Seen>> {
  return Seen.parse(await page.evaluate(`inspection.look(${JSON.stringify({ isTouched })})`));
}

/** Two frames, so that what is known has been drawn. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate('inspection.settle()');
}

/** Changes the language of a page as it stands; ends when its own words are there. */
export async function speak(page: Page, locale: string): Promise<void> {
  await page.evaluate(`inspection.speak(${JSON.stringify(locale)})`);
}
