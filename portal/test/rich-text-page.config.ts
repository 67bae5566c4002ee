import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/rich-text-page/',
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, '../../.pointgate/rich-text-page'),
    emptyOutDir: true,
    rolldownOptions: {
      input: join(import.meta.dirname, 'rich-text-page.tsx'),
      output: { entryFileNames: 'page.js' },
    },
  },
});
