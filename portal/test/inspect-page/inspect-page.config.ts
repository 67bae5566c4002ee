import { join } from 'node:path';
import { defineConfig } from 'vite';

// One file without imports, for tests in real browsers to put into a page.
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
