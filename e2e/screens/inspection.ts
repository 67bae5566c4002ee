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
  /** Whether a dialog is in front; nothing else is looked at then. */
  hasDialog: z.boolean(),
});
export type ShownText = z.output<typeof Seen>['texts'][number];

/** Looks at a page that stands still as a player does, with a finger or with a mouse. */
export async function look(page: Page, isTouched: boolean): Promise<z.output<typeof Seen>> {
  return Seen.parse(await ask(page, `look(${JSON.stringify({ isTouched })})`));
}

/** Two frames, so that what is known has been drawn. */
export async function settle(page: Page): Promise<void> {
  await ask(page, 'settle()');
}

/** Changes the language of a page as it stands; ends when its own words are there. */
export async function speak(page: Page, locale: string): Promise<void> {
  await ask(page, `speak(${JSON.stringify(locale)})`);
}

/** For one thing that a page is asked to do. Whoever waits longer should hear what for. */
export const patienceMs = 60_000;

/** A page that never answers would be waited for until the whole test is given up. */
async function ask(page: Page, question: string): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`The page does not answer ${question}`));
    timer = setTimeout(giveUp, patienceMs);
  });
  try {
    return await Promise.race([page.evaluate(`inspection.${question}`), isLate]);
  } finally {
    clearTimeout(timer);
  }
}
