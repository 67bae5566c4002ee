import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SiteConfig, siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callRaw } from '../test/raw-call.ts';
import { openTestShop, type TestShop } from '../test/shop.ts';
import { givenOtherSite } from '../test/sites.ts';

const evilTitle = `</script><script>alert(1)</script><!-- $& $' \u2028 "`;
const inline = "\n  take('ticket');\n";
const page = `<!doctype html><head><script>${inline}</script><!--site-config--></head><body></body>`;

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ PORTAL_DIR: givenPortal() });
  await givenOtherSite(shop, { portalUrl: 'https://other.example', title: evilTitle });
});
afterAll(() => shop.closeAll());

/** A built portal, as small as can be. */
function givenPortal(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'pointgate-test-')), 'dist');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), page);
  for (const [name, text] of [
    ['assets/app-1a2b3c.js', 'run()'],
    ['locales/en-US.json', '{}'],
    ['icon.svg', '<svg/>'],
  ] as const) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, '..', 'outside.txt'), 'secret');
  return folder;
}

const get = (path: string, host?: string) =>
  callRaw(shop.url + path, host === undefined ? {} : { headers: { host } });

describe('the page', () => {
  test.each(['/', '/main/recharge', '/main/recharge/detail/1?lng=de', '/index.html', '/apis'])(
    'is what a browser gets at %s',
    async (path) => {
      const reply = await get(path);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(SiteConfig.parse(configIn(reply.text))).toMatchObject({ siteTitle: 'Solmere' });
    },
  );

  test('lets no foreign script, frame or form in', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      // The one script that stands in the page, byte for byte; its hash made by another hand.
      `script-src 'self' 'sha256-${hash('sha256', inline, 'base64')}'`,
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test('carries any title safely: nothing in it can end the script or be run', async () => {
    const { text } = await get('/', '127.0.0.1');
    expect(configIn(text)).toMatchObject({ siteTitle: evilTitle });
    expect(text.match(/<\/?script/g)).toHaveLength(4);
    expect(text).not.toContain('alert(1)</script');
    expect(text.replace(/<script type.*<\/script>/s, '<!--site-config-->')).toBe(page);
  });

  test('is not given to a host name that is no site', async () => {
    const reply = await get('/', 'nobody.example');
    expect(reply.status).toBe(404);
    expect(reply.json()).toMatchObject({ isSuccess: false, code: 'NotFound' });
  });

  test('has the version that the config has', async () => {
    const { version } = SiteConfig.parse((await get('/config.json')).json());
    expect(configIn((await get('/')).text)).toMatchObject({ version });
  });
});

describe('a file', () => {
  test('with a hash in its name may be kept for ever, any other for minutes', async () => {
    const asset = await get('/assets/app-1a2b3c.js');
    expect(asset.text).toBe('run()');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const icon = await get('/icon.svg');
    expect(icon.headers['cache-control']).toBe('public, max-age=300');
    expect(icon.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each(['/assets/old-000000.js', '/locales/xx-XX.json', '/art/none.avif', '/api/nothing'])(
    'that is missing is a 404 and not the page: %s',
    async (path) => {
      const reply = await get(path);
      expect(reply.status).toBe(404);
      expect(reply.json()).toMatchObject({ code: 'NotFound' });
    },
  );

  test.each(['/../outside.txt', '/%2e%2e/outside.txt', '/assets/..%2f..%2foutside.txt'])(
    'outside the portal is out of reach: %s',
    async (path) => {
      expect((await get(path)).text).not.toContain('secret');
    },
  );
});

test('a probe learns that the process lives, whatever host name it uses', async () => {
  expect((await get('/health', '10.0.0.7')).json()).toEqual({ ok: true });
});

function configIn(html: string): unknown {
  const pattern = new RegExp(
    `<script type="application/json" id="${siteConfigElementId}">(.*?)</script>`,
    's',
  );
  const [, json = ''] = pattern.exec(html) ?? [];
  return JSON.parse(json);
}
