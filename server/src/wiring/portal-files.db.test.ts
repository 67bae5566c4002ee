import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { aliasesOf, allPages } from '@pointgate/contract/pages.ts';
import { SiteConfig, siteConfigElementId } from '@pointgate/contract/site-config.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callRaw } from '../../test/raw-call.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { givenOtherSite } from '../../test/sites.ts';
import { sql } from '../platform/db.ts';

const evilTitle = `</script><script>alert(1)</script><!-- $& $' \u2028 "`;
const inline = "\n  take('ticket');\n";
const later = "\n  start('portal');\n";
const page = `<!doctype html><head><script>${inline}</script><template><script>${later}</script></template><!--site-config--></head><body></body>`;

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ PORTAL_DIR: givenPortal() });
  await givenOtherSite(shop, { portalUrl: 'https://other.example', title: evilTitle });
});
afterAll(() => shop.closeAll());

/** A minimal built portal. */
function givenPortal(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'pointgate-test-')), 'dist');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), page);
  for (const [name, text] of [
    ['assets/app-1a2b3c.js', 'run()'],
    ['locales/en-US/shell.json', '{}'],
    ['icon.svg', '<svg/>'],
  ] as const) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync('run()'));
  writeFileSync(join(folder, 'assets/app-1a2b3c.js.gz'), gzipSync('run()'));
  writeFileSync(join(folder, '..', 'outside.txt'), 'secret');
  return folder;
}

const get = (path: string, host?: string) =>
  callRaw(shop.url + path, host === undefined ? {} : { headers: { host } });

test.each([
  ...['/metrics', '/ready', '/readyz', '/live', '/livez', '/healthz', '/health/other', '/status'],
  ...['/robots.txt', '/favicon.ico', '/sitemap.xml', '/security.txt', '/metrics?format=text'],
  ...['/.well-known', '/.well-known/security.txt', '/.well-known/change-password'],
])(
  'a call to the path %s, as probes and crawlers make it, is answered with HTTP 404 and not with the portal page',
  async (path) => {
    const reply = await get(path);
    expect(reply.status).toBe(404);
    expect(reply.json()).toMatchObject({ code: 'NotFound' });
  },
);

describe('the portal page', () => {
  test.each(['/', '/main/recharge', '/main/recharge/detail/1?lng=de', '/index.html', '/apis'])(
    'the portal page is served at %s',
    async (path) => {
      const reply = await get(path);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(SiteConfig.parse(configIn(reply.text))).toMatchObject({ siteTitle: 'Solmere' });
    },
  );

  test('the portal page is served at the path of every portal page and of its aliases', async () => {
    expect(allPages.length).toBeGreaterThan(20);
    for (const row of allPages) {
      for (const path of [row.path.replaceAll(/:\w+/g, 'x1'), ...aliasesOf(row)]) {
        const { status, headers } = await get(path);
        expect([path, status, headers['content-type']]).toEqual([
          path,
          200,
          'text/html; charset=utf-8',
        ]);
      }
    }
  });

  test('the content security policy of the portal page forbids scripts, frames and forms of other sites', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      // The inline scripts of the page; their hashes are computed independently of the server.
      `script-src 'self' 'sha256-${hash('sha256', inline, 'base64')}' 'sha256-${hash('sha256', later, 'base64')}'`,
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

  test.each([
    ['https://logs.example:8443/in', "connect-src 'self' https://logs.example:8443"],
    ['https://logs.example', "connect-src 'self' https://logs.example"],
    ["https://logs.example;script-src'unsafe-inline'", "connect-src 'self'"],
    ['https://logs.example;script-src/*', "connect-src 'self'"],
  ])(
    '[S7.36] the content security policy of the portal allows calls only to the shop and a valid logger URL: %s',
    async (loggerUrl, connect) => {
      await shop.db.transaction((tx) =>
        tx.run(sql`update sites set logger_url = ${loggerUrl} where id = 'other'`),
      );
      await eventually(async () => (await shop.sites.byId('other'))?.loggerUrl === loggerUrl);
      const { headers } = await get('/', '127.0.0.1');
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toHaveLength(10);
      expect(policy).toContain(connect);
    },
  );

  test('a site title cannot end or inject a script in the portal page', async () => {
    const { text } = await get('/', '127.0.0.1');
    expect(configIn(text)).toMatchObject({ siteTitle: evilTitle });
    expect(text.match(/<\/?script/g)).toHaveLength(6);
    expect(text).not.toContain('alert(1)</script');
    expect(text.replace(/<script type.*<\/script>/s, '<!--site-config-->')).toBe(page);
  });

  test('the portal page is not served for a host name without a site', async () => {
    const reply = await get('/', 'nobody.example');
    expect(reply.status).toBe(404);
    expect(reply.json()).toMatchObject({ isSuccess: false, code: 'NotFound' });
  });

  test('a page request to a site with a malformed database row is answered with a portal page that contains the refusal SiteUnavailable', async () => {
    const privacyUrl = (url: string | null) =>
      shop.db.transaction((tx) =>
        tx.run(sql`update sites set privacy_url = ${url} where id = 'other'`),
      );
    await privacyUrl('https://');
    const reply = await eventually(async () => {
      const found = await get('/main', '127.0.0.1');
      return found.status === 503 && found;
    });
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-store');
    const refusal = { isSuccess: false, status: 503, code: 'SiteUnavailable', data: null };
    expect(configIn(reply.text)).toMatchObject(refusal);
    expect((await get('/config.json', '127.0.0.1')).json()).toMatchObject(refusal);
    expect((await get('/main')).status).toBe(200);
    await privacyUrl(null);
    await eventually(async () => (await get('/main', '127.0.0.1')).status === 200);
  });

  test('the portal page contains the same version as /config.json', async () => {
    const { version } = SiteConfig.parse((await get('/config.json')).json());
    expect(configIn((await get('/')).text)).toMatchObject({ version });
  });
});

describe('portal files', () => {
  test('a portal file with a hash in its name is cached for a year, any other for five minutes', async () => {
    const asset = await get('/assets/app-1a2b3c.js');
    expect(asset.text).toBe('run()');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const icon = await get('/icon.svg');
    expect(icon.headers['cache-control']).toBe('public, max-age=300');
    expect(icon.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    '/assets/old-000000.js',
    '/assets/',
    '/locales/xx-XX/shell.json',
    '/art/none.avif',
    '/api/nothing',
  ])(
    'a missing portal file is answered with HTTP 404 and not with the portal page: %s',
    async (path) => {
      const reply = await get(path);
      expect(reply.status).toBe(404);
      expect(reply.json()).toMatchObject({ code: 'NotFound' });
    },
  );

  test.each(['/../outside.txt', '/%2e%2e/outside.txt', '/assets/..%2f..%2foutside.txt'])(
    'a file outside the portal folder cannot be read over HTTP: %s',
    async (path) => {
      expect((await get(path)).text).not.toContain('secret');
    },
  );
});

describe('compressed portal files', () => {
  /** `fetch` decompresses the body. */
  const fetchAs = async (path: string, accepted: string) => {
    const reply = await fetch(shop.url + path, { headers: { 'accept-encoding': accepted } });
    const { headers } = reply;
    return { headers, coding: headers.get('content-encoding'), text: await reply.text() };
  };

  test.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip'],
    [null, 'identity'],
  ])(
    'a portal file is served with the content encoding %s and unchanged type and cache time',
    async (coding, accepted) => {
      const reply = await fetchAs('/assets/app-1a2b3c.js', accepted);
      expect(reply).toMatchObject({ coding, text: 'run()' });
      expect(reply.headers.get('content-type')).toBe('application/javascript; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(reply.headers.get('vary')).toBe('accept-encoding');
    },
  );

  test('a portal file without a compressed form is served uncompressed', async () => {
    expect(await fetchAs('/icon.svg', 'br')).toMatchObject({ coding: null, text: '<svg/>' });
  });

  test.each([
    ['br', 'gzip, br'],
    ['br', 'br;q=0.5'],
    [null, 'br;q=0, gzip'],
    [null, 'br ; q=0.00'],
    [null, 'brr'],
  ])(
    'the portal page is served with the content encoding %s to a browser that accepts %s',
    async (coding, accepted) => {
      const reply = await fetchAs('/main/home', accepted);
      expect(reply.coding).toBe(coding);
      expect(reply.headers.get('vary')).toBe('accept-encoding');
      expect(configIn(reply.text)).toMatchObject({ siteTitle: 'Solmere' });
    },
  );

  test('the compressed copy of a portal file cannot be requested by its own path', async () => {
    expect((await get('/assets/app-1a2b3c.js.br')).status).toBe(404);
  });
});

test('the health probe /health is answered for any host name', async () => {
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
