import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compressFiles } from './compress-files.ts';
import { heroPreloadScript } from './src/ui/hero-preload.ts';

const apiUrl = process.env.API_URL ?? 'http://localhost:8080';
// Two files that nearly every page needs anyway, instead of a dozen small ones: fewer round trips,
// and they compress better. The first changes only when a library does.
const chunks = [
  {
    name: 'libraries',
    test: /node_modules\/(?!dompurify|jose|lucide-react|@simplewebauthn)/,
    priority: 2,
  },
  {
    name: 'shell',
    test: /portal\/src\/((api|config|i18n|session|shell|ui(?!\/cleaned-text))\/|analytics\/(pages|track|track-login)\.ts)/,
    priority: 1,
  },
];
const placeholder = '<!--site-config-->';

export default defineConfig({
  plugins: [react(), devSiteConfig(), preloadHero(), preloadInterfaceFont(), compressFiles()],
  // The oldest browsers whose players we still meet in webviews.
  build: {
    target: ['chrome107', 'safari16.4'],
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/webhooks', '/config.json'].map((path) => [path, { target: apiUrl }]),
    ),
  },
});

/** In production the server writes the site's config into the page; in development this does. */
function devSiteConfig(): Plugin {
  return {
    name: 'dev-site-config',
    apply: 'serve',
    transformIndexHtml: async (html) => {
      const reply = await fetch(new URL('/config.json', apiUrl));
      // A `<` could end the script element, whatever the JSON says.
      const json = (await reply.text()).replaceAll('<', '\\u003c');
      const element = `<script type="application/json" id="site-config">${json}</script>`;
      return html.replace(placeholder, () => element);
    },
  };
}

/** The largest picture of the page, asked for before any script has arrived. */
function preloadHero(): Plugin {
  return {
    name: 'preload-hero',
    transformIndexHtml: (html) =>
      html.replace('<!--hero-preload-->', () => `<script>${heroPreloadScript()}</script>`),
  };
}

/** Without this the face is found only after the first text is painted, and the text then jumps. */
function preloadInterfaceFont(): Plugin {
  return {
    name: 'preload-interface-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const file = Object.keys(bundle ?? {}).find((name) => /manrope-latin-wght/.test(name));
        if (file === undefined) throw new Error('The interface face is not in the bundle.');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}` };
        return [{ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' as const }];
      },
    },
  };
}
