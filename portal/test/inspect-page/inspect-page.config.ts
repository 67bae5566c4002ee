import { join } from 'node:path';
import { defineConfig } from 'vite';

// Bundles one file without imports, which browser tests inject into a page.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: join(import.meta.dirname, '../../../.pointgate/inspect-page'),
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: join(import.meta.dirname, 'inspect-page.ts'),
      output: { format: 'iife', entryFileNames: 'page.js' },
    },
  },
});
