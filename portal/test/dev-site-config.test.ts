// @vitest-environment node
import { createServer as createHttpServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { devSiteConfig } from '../dev-site-config.ts';

test('the development server inserts the config of the site with the requested host name into the page', async () => {
  const api = createHttpServer((request, reply) => {
    reply.end(JSON.stringify({ siteTitle: `</${request.headers.host}` }));
  });
  await new Promise<void>((done) => void api.listen(0, '127.0.0.1', done));
  const vite = await createServer({
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins: [devSiteConfig(addressOf(api))],
    appType: 'custom',
  });
  vite.middlewares.use((_request, reply, next) => {
    vite.transformIndexHtml('/', '<!--site-config-->').then((page) => reply.end(page), next);
  });
  const shop = createHttpServer(vite.middlewares);
  await new Promise<void>((done) => void shop.listen(0, '127.0.0.1', done));
  try {
    for (const host of ['localhost:5173', 'lantern-court.localhost:5173']) {
      const page = await new Promise<string>((done) => {
        get(addressOf(shop), { headers: { host } }, (reply) => done(text(reply)));
      });
      expect(page).toContain(
        `<script type="application/json" id="site-config">{"siteTitle":"\\u003c/${host}"}</script>`,
      );
    }
  } finally {
    await vite.close();
    shop.close();
    api.close();
  }
});

function addressOf(server: ReturnType<typeof createHttpServer>): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('The server does not listen on a port.');
  return `http://127.0.0.1:${address.port}`;
}
