import { AsyncLocalStorage } from 'node:async_hooks';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Plugin } from 'vite';

const placeholder = '<!--site-config-->';

/**
 * In production the server writes the site's config into the page; in development this does. It asks by
 * the name that the browser asked for, because every name is another site.
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
      // A `<` could end the script element, whatever the JSON says.
      const json = config.replaceAll('<', '\\u003c');
      const element = `<script type="application/json" id="site-config">${json}</script>`;
      return html.replace(placeholder, () => element);
    },
  };
}

/** Not with `fetch`, which always asks by the name in the address. */
function readAs(host: string, address: URL): Promise<string> {
  return new Promise((done, failed) => {
    get(address, { headers: { host } }, (reply) => done(text(reply))).on('error', failed);
  });
}
