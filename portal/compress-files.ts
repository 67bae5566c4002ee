import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

// Images and fonts are compressed already.
const texts = '**/*.{js,mjs,css,json,svg}';
// Smaller responses fit into one packet anyway.
const bytesMin = 1024;

/**
 * Writes two compressed copies of each text file of the build, which the server sends as they are.
 */
export function compressFiles(): Plugin {
  let folder = '';
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    // Runs after the public folder has been copied.
    writeBundle: () => {
      for (const name of globSync(texts, { cwd: folder })) compress(join(folder, name));
    },
  };
}

function compress(path: string): void {
  if (statSync(path).size < bytesMin) return;
  const text = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params }));
  writeFileSync(`${path}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
}
