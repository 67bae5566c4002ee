import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { hostileHtml } from '../contract/test/hostile-html.ts';
import { operate } from './operate.ts';
import { test } from './shop.ts';

// Tests hostile HTML in a real browser, because no other parser behaves exactly alike. A test page
// renders it with the portal's own component on the shop's host name: see portal/test.

const root = join(import.meta.dirname, '..');
const folder = '/rich-text-page/';
const by = ['--by', 'e2e'];
const bulletinOf = (body: string, number: number) => ({
  id: `hostile-${number}`,
  sites: ['solmere'],
  category: 'activity',
  art: 'hero-wide',
  texts: { 'en-US': { title: `Hostile ${number}`, summary: '', body } },
});
/** PostgreSQL cannot store these characters, so the import refuses such texts. */
const cannotBeStored = (html: string) => html.includes('\0') || !html.isWellFormed();

test.beforeAll(() => {
  const portal = createRequire(join(root, 'portal/package.json'));
  const vite = join(dirname(portal.resolve('vite/package.json')), 'bin/vite.js');
  const config = join(root, 'portal/test/rich-text-page.config.ts');
  execFileSync(process.execPath, [vite, 'build', '--config', config], { stdio: 'pipe' });
});

test('hostile HTML in published news runs no script, opens no window and requests nothing from other sites', async ({
  page,
  shop,
  stack,
}) => {
  const all = hostileHtml.map(bulletinOf);
  expect(all.length).toBeGreaterThan(500);
  const refused = hostileHtml.flatMap((html, number) => (cannotBeStored(html) ? [number] : []));
  expect(refused.length).toBeLessThan(10);
  const lines = refused.map(
    (number) => `  ${number}.texts: holds characters that cannot be stored: remove them`,
  );
  const errors = ['standard input is not usable:', ...lines, ''].join('\n');
  expect(await operate(stack, ['import-bulletins', ...by], all)).toMatchObject({
    status: 1,
    errors,
  });

  const stored = all.filter((_bulletin, number) => !refused.includes(number));
  const ids = stored.map(({ id }) => id);
  expect(await operate(stack, ['import-bulletins', ...by], stored)).toMatchObject({ status: 0 });
  expect(await operate(stack, ['publish', ...ids, ...by])).toMatchObject({ status: 0 });
  const policy = (await page.request.get(shop.portal('/login'))).headers()[
    'content-security-policy'
  ];
  expect(policy).toContain("script-src 'self'");
  const seen = await openRichText(page, { origin: shop.portal('/'), policy });
  const shown = await page.evaluate(`showNews(${JSON.stringify(ids)})`);
  // Many texts are empty once sanitized; the others remain readable.
  expect(shown).toBeGreaterThan(250);
  await seen.untilTrapSprings();
  expect(seen).toMatchObject({ ran: [], elsewhere: [], opened: 0 });
  const isNews = (path: string) => /^\/(art|api\/bulletin\/detail)\//.test(path);
  // Policy violations are reported at once, requests a moment later.
  await expect.poll(() => seen.here.filter((path) => !isNews(path))).toEqual([`${folder}trap`]);
  expect(await operate(stack, ['withdraw', ...ids, ...by])).toMatchObject({ status: 0 });
});

test('the portal shows hostile HTML harmlessly even if no server sanitized it and no security policy is sent', async ({
  page,
  shop,
}) => {
  const seen = await openRichText(page, { origin: shop.portal('/') });
  const shown = await page.evaluate(`showTexts(${JSON.stringify(hostileHtml)})`);
  expect(shown).toBeGreaterThan(250);
  await seen.untilTrapSprings();
  expect(seen).toMatchObject({ ran: ['trap'], elsewhere: [], opened: 0 });
  const isArt = (path: string) => path.startsWith('/art/');
  await expect.poll(() => seen.here.filter((path) => !isArt(path))).toEqual([`${folder}trap`]);
});

// Shows that the two tests above would detect an attack.
test('the hostile HTML that these tests use runs scripts and requests other sites if nothing sanitizes it', async ({
  page,
  shop,
}) => {
  const seen = await openRichText(page, { origin: shop.portal('/') });
  const numbered = hostileHtml.map((html, number) =>
    html.replaceAll('alert(1)', `alert(${number + 1000})`),
  );
  await page.evaluate(`plant(${JSON.stringify(numbered)})`);
  await expect.poll(() => new Set(seen.ran).size).toBeGreaterThan(100);
  await expect.poll(() => new Set(seen.elsewhere).size).toBeGreaterThan(5);
});

interface Seen {
  /** The messages of scripts that ran in the page or in a frame. */
  ran: string[];
  /** Requested URLs outside of the shop. */
  elsewhere: string[];
  /** Requested paths of the shop, without those of the page itself. */
  here: string[];
  /** Violations that the content security policy blocked. */
  stopped: string[];
  /** The number of opened windows and navigations. */
  opened: number;
  /**
   * Inserts a script that does run and waits for it, so that all scripts before it have been seen.
   */
  untilTrapSprings(): Promise<void>;
}

/** Opens the test page on the shop's host name and records scripts, requests and windows. */
async function openRichText(
  page: Page,
  { origin, policy }: { origin: string; policy?: string | undefined },
): Promise<Seen> {
  const seen: Seen = {
    ran: [],
    elsewhere: [],
    here: [],
    stopped: [],
    opened: 0,
    untilTrapSprings: async () => {
      const before = seen.stopped.length;
      await page.evaluate(`plant(['<img src=trap onerror="alert(\\'trap\\')">'])`);
      const isSprung = () =>
        policy === undefined ? seen.ran.includes('trap') : seen.stopped.length > before;
      await expect.poll(isSprung).toBe(true);
      // Only the inserted script violates the policy.
      if (policy !== undefined) expect(seen.stopped).toEqual(['script-src-attr inline']);
    },
  };
  await page.exposeFunction('noteRun', (what: string) => seen.ran.push(what));
  await page.exposeFunction('noteStop', (what: string) => seen.stopped.push(what));
  // Runs in every frame, including frames that a text adds.
  await page.addInitScript(`
    for (const name of ['alert', 'confirm', 'prompt']) {
      globalThis[name] = (what) => { noteRun(String(what)); };
    }
    document.addEventListener('securitypolicyviolation', (event) => {
      if (event.isTrusted) noteStop(event.violatedDirective + ' ' + event.blockedURI);
    });`);
  await serve(page, { origin, policy, seen });
  await page.goto(origin + folder.slice(1));
  await page.waitForFunction('globalThis.plant !== undefined');
  page.on('popup', () => {
    seen.opened += 1;
  });
  page.on('framenavigated', () => {
    seen.opened += 1;
  });
  page.on('dialog', (dialog) => {
    seen.ran.push(dialog.message());
    return dialog.dismiss();
  });
  seen.here.length = 0;
  return seen;
}

/**
 * Serves the test page from its build folder, passes on requests to the shop, and answers all
 * others.
 */
async function serve(
  page: Page,
  { origin, policy, seen }: { origin: string; policy: string | undefined; seen: Seen },
): Promise<void> {
  await page.route('**/*', async (route) => {
    const { href, pathname } = new URL(route.request().url());
    if (!href.startsWith(origin)) {
      seen.elsewhere.push(href);
      // With 204 a page that navigates there stays where it is.
      return await route.fulfill({ status: 204 });
    }
    if (pathname === folder) {
      const headers = policy === undefined ? {} : { 'content-security-policy': policy };
      const body = `<!doctype html><body><script type="module" src="${folder}page.js"></script>`;
      return await route.fulfill({ contentType: 'text/html', headers, body });
    }
    const isOfPage = /^\/rich-text-page\/(page|assets\/[\w-]+)\.(js|css)$/.exec(pathname);
    if (isOfPage === null) seen.here.push(pathname);
    if (!pathname.startsWith(folder)) return await route.continue();
    if (isOfPage === null) return await route.fulfill({ status: 404 });
    const contentType = isOfPage[2] === 'js' ? 'text/javascript' : 'text/css';
    const body = await readFile(join(root, '.pointgate', pathname));
    return await route.fulfill({ contentType, body });
  });
}
