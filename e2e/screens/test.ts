import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isBuildStale } from '../../tools/stack/build.ts';
import { startStack } from '../../tools/stack/start-stack.ts';
import { test as base } from '../browser.ts';
import { shopOf } from '../shop.ts';
import { type BrowserPool, openBrowserPool } from './browser-pool.ts';

/** For tests that visit all screens. They have a shop without other visitors. */
export const test = base.extend<object, { browserPool: BrowserPool }>({
  browserPool: [
    async ({ browser }, use, { project }) => {
      const portal = await copyOfPortal();
      const stack = await startStack({
        mode: 'demo',
        name: `${project.name}-shop`,
        fresh: true,
        durable: false,
        // Queries the provider for a missing webhook after two seconds instead of thirty. The order
        // limits are raised, because one player makes all orders in a few minutes.
        serverEnv: {
          PAYMENT_CHECK_SECONDS: '2',
          PORTAL_DIR: portal,
          UNPAID_ORDERS_MAX: '1000',
          PAYMENT_CALLS_MAX: '1000',
          GAME_CALLS_MAX: '1000',
        },
      });
      await use(await openBrowserPool(browser, shopOf(stack)));
      await stack.stop();
      await rm(portal, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

/** A copy of the portal build, because a build during the long run would replace its files. */
async function copyOfPortal(): Promise<string> {
  const root = join(import.meta.dirname, '../..');
  if (isBuildStale(root)) await promisify(execFile)('npm', ['run', 'build'], { cwd: root });
  const folder = await mkdtemp(join(tmpdir(), 'pointgate-portal-'));
  await cp(join(root, 'portal/dist'), folder, { recursive: true });
  return folder;
}
