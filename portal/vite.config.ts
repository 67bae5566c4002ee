import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunks } from './chunks.ts';
import { compressFiles } from './compress-files.ts';
import { devSiteConfig } from './dev-site-config.ts';
import { laterScripts } from './later-scripts.ts';
import { firstPictureScript } from './src/shared/ui/first-picture.ts';
import { heroPreloadScript } from './src/shared/ui/hero-preload.ts';
import { withoutSummaries } from './without-summaries.ts';

const apiUrl = process.env.API_URL ?? 'http://localhost:8080';

export default defineConfig({
  plugins: [
    react(),
    devSiteConfig(apiUrl),
    firstPicture(),
    preloadInterfaceFont(),
    laterScripts(),
    withoutSummaries(),
    compressFiles(),
  ],
  // The oldest browsers still in use in web views.
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

/** Injects the script that shows the key art before any other script has loaded. */
function firstPicture(): Plugin {
  return {
    name: 'first-picture',
    transformIndexHtml: (html) =>
      html
        .replace('<!--hero-preload-->', () => `<script>${heroPreloadScript()}</script>`)
        .replace('<!--first-picture-->', () => `<script>${firstPictureScript()}</script>`),
  };
}

const interfaceFace = 'manrope-latin-wght-normal.woff2';

/** Preloads the interface font: discovered after the first paint, it would shift the text. */
function preloadInterfaceFont(): Plugin {
  return {
    name: 'preload-interface-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const face = Object.values(bundle ?? {}).find(
          (file) => file.type === 'asset' && file.names.includes(interfaceFace),
        );
        if (face === undefined) throw new Error(`The bundle has no font file ${interfaceFace}.`);
        const href = `/${face.fileName}`;
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href };
        return [{ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' as const }];
      },
    },
  };
}
