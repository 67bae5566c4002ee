import type { Plugin } from 'vite';

const text = /(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)/.source;
const summary = new RegExp(String.raw`^ {2}summary:\s*${text}(?:\s*\+\s*${text})*,\n`, 'gm');

/** Removes the summaries of endpoints, which only the OpenAPI file needs, from the built portal. */
export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/src\/[\w-]+\.ts$/ },
      handler: (code) => ({ code: code.replace(summary, ''), map: null }),
    },
  };
}
