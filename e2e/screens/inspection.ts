import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { z } from 'zod';

// The portal's inspect-page script, which is injected into every page of a walk.

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Builds the script and answers its path. */
export async function inspectionScript(): Promise<string> {
  const portal = createRequire(join(root, 'portal/package.json'));
  const vite = join(dirname(portal.resolve('vite/package.json')), 'bin/vite.js');
  const config = join(root, 'portal/test/inspect-page/inspect-page.config.ts');
  await run(process.execPath, [vite, 'build', '--config', config]);
  return join(root, '.pointgate/inspect-page/page.js');
}

const Seen = z.object({
  texts: z.array(z.object({ text: z.string(), language: z.string() })),
  /** Faults that hide text or make the page hard to use, one line each. */
  faults: z.array(z.string()),
  /** Whether a modal dialog is open; then only the dialog is inspected. */
  hasDialog: z.boolean(),
});
export type ShownText = z.output<typeof Seen>['texts'][number];

/** Inspects a settled page for touch or for mouse use. */
export async function look(page: Page, isTouched: boolean): Promise<z.output<typeof Seen>> {
  return Seen.parse(await ask(page, `look(${JSON.stringify({ isTouched })})`));
}

/** Waits for two frames, so that the current state is rendered. */
export async function settle(page: Page): Promise<void> {
  await ask(page, 'settle()');
}

/** Changes the language of a page in place; resolves when its texts are loaded. */
export async function speak(page: Page, locale: string): Promise<void> {
  await ask(page, `speak(${JSON.stringify(locale)})`);
}

/** The timeout of a single step, so that a failure names the step. */
export const patienceMs = 60_000;

/** Evaluates with a timeout; otherwise a page that never answers would block the whole test. */
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
