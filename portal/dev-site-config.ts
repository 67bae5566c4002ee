import { AsyncLocalStorage } from 'node:async_hooks';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Plugin } from 'vite';

const placeholder = '<!--site-config-->';

/**
 * Writes the site config into the page during development, as the server does in production. The
 * request forwards the host of the browser, because each host is another site.
 */
export function devSiteConfig(apiUrl: string): Plugin {
  const asked = new AsyncLocalStorage<string>();
  return {
    name: 'dev-site-config',
    apply: 'serve',
    configureServer: ({ middlewares }) => {
      middlewares.use(({ headers: { host = '' } }, _reply, next) => asked.run(host, next));
    },
    transformIndexHtml: async (html) => {
      const host = asked.getStore() ?? new URL(apiUrl).host;
      const config = await readAs(host, new URL('/config.json', apiUrl));
      // An unescaped `<` in the JSON could end the script element.
      const json = config.replaceAll('<', '\\u003c');
      const element = `<script type="application/json" id="site-config">${json}</script>`;
      return html.replace(placeholder, () => element);
    },
  };
}

/** Not with `fetch`, which does not allow another Host header. */
function readAs(host: string, address: URL): Promise<string> {
  return new Promise((done, failed) => {
    get(address, { headers: { host } }, (reply) => done(text(reply))).on('error', failed);
  });
}
