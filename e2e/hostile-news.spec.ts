import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { hostileHtml } from '../contract/test/hostile-html.ts';
import { operate } from './operate.ts';
import { test } from './shop.ts';

// Hostile texts in a real browser, because only a browser knows what a browser does with them. They
// are shown by a page of the portal's own component, on the shop's host name: see portal/test.

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
/** No table takes them, so no text can hold them. */
const cannotBeStored = (html: string) => html.includes('\0') || !html.isWellFormed();

test.beforeAll(() => {
  const portal = createRequire(join(root, 'portal/package.json'));
  const vite = join(dirname(portal.resolve('vite/package.json')), 'bin/vite.js');
  const config = join(root, 'portal/test/rich-text-page.config.ts');
  execFileSync(process.execPath, [vite, 'build', '--config', config], { stdio: 'pipe' });
});

test('nothing of more than five hundred hostile texts runs, loads or even tries to', async ({
  page,
  shop,
  stack,
}) => {
  const all = hostileHtml.map(bulletinOf);
  expect(all.length).toBeGreaterThan(500);
  const refused = hostileHtml.flatMap((html, number) => (cannotBeStored(html) ? [number] : []));
  expect(refused.length).toBeLessThan(10);
  const lines = refused.map(
    (number) => `  ${number}.texts: holds characters that cannot be stored`,
  );
  const complaint = ['standard input is not usable:', ...lines, ''].join('\n');
  expect(await operate(stack, ['import-bulletins', ...by], all)).toMatchObject({
    status: 1,
    complaint,
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
  // Many consist of nothing but what is not allowed; the others are there to be read.
  expect(shown).toBeGreaterThan(250);
  await seen.untilTrapSprings();
  expect(seen).toMatchObject({ ran: [], elsewhere: [], opened: 0 });
  const isNews = (path: string) => /^\/(art|api\/bulletin\/detail)\//.test(path);
  // What the policy stops is told of at once, what is asked for a moment later.
  await expect.poll(() => seen.here.filter((path) => !isNews(path))).toEqual([`${folder}trap`]);
  expect(await operate(stack, ['withdraw', ...ids, ...by])).toMatchObject({ status: 0 });
});

test('what no server has cleaned and no policy holds back is harmless all the same', async ({
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

// Proves that the two above would notice.
test('the same texts do run where nobody cleans them', async ({ page, shop }) => {
  const seen = await openRichText(page, { origin: shop.portal('/') });
  const numbered = hostileHtml.map((html, number) =>
    html.replaceAll('alert(1)', `alert(${number + 1000})`),
  );
  await page.evaluate(`plant(${JSON.stringify(numbered)})`);
  await expect.poll(() => new Set(seen.ran).size).toBeGreaterThan(100);
  await expect.poll(() => new Set(seen.elsewhere).size).toBeGreaterThan(5);
});

interface Seen {
  /** What scripts said when they ran, in a frame or in the page. */
  ran: string[];
  /** Addresses outside of the shop that something was asked from. */
  elsewhere: string[];
  /** Paths of the shop, without those of the page itself. */
  here: string[];
  /** What the policy of the page had to stop. */
  stopped: string[];
  /** Other windows, and other pages in this one. */
  opened: number;
  /** Plants one text that does run, and waits until it has: what ran before it has been seen too. */
  untilTrapSprings(): Promise<void>;
}

/** Opens the page on the shop's own host name and watches what becomes of it. */
async function openRichText(
  page: Page,
  { origin, policy }: { origin: string; policy?: string | undefined },
): Promise<Seen> {
  const seen: Seen = {
    ...{ ran: [], elsewhere: [], here: [], stopped: [], opened: 0 },
    untilTrapSprings: async () => {
      const before = seen.stopped.length;
      await page.evaluate(`plant(['<img src=trap onerror="alert(\\'trap\\')">'])`);
      const isSprung = () =>
        policy === undefined ? seen.ran.includes('trap') : seen.stopped.length > before;
      await expect.poll(isSprung).toBe(true);
      // The trap itself is stopped, and nothing else.
      if (policy !== undefined) expect(seen.stopped).toEqual(['script-src-attr inline']);
    },
  };
  await page.exposeFunction('noteRun', (what: string) => seen.ran.push(what));
  await page.exposeFunction('noteStop', (what: string) => seen.stopped.push(what));
  // In every frame, also in those that a text brings along.
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

/** The page comes from its folder, calls and pictures from the shop, and nothing from elsewhere. */
async function serve(
  page: Page,
  { origin, policy, seen }: { origin: string; policy: string | undefined; seen: Seen },
): Promise<void> {
  await page.route('**/*', async (route) => {
    const { href, pathname } = new URL(route.request().url());
    if (!href.startsWith(origin)) {
      seen.elsewhere.push(href);
      // Nothing to show: a page that is led there stays where it is.
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
