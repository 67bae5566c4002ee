import { aliasesOf, allPages, patternOf } from '@pointgate/contract/pages.ts';
import type { Plugin, Rolldown } from 'vite';
import { startElementId } from './src/shared/ui/first-picture.ts';

// The typeface of game titles. A late font makes the browser lay out the whole page again. A
// preload of the file is not enough: the browser activates the font only after the first text that
// uses it.
const titleFace = '1em Marcellus';

// Key art in these places has the title of a game on it.
const titled: readonly string[] = ['hero tall', 'hero short', 'game'];

// A wrong guess costs little: a visitor who has to sign in first returns to the page.
const preloaded = allPages.flatMap((row) => {
  if (!('preload' in row)) return [];
  const modules = row.preload.map((module) => `src/${module}`);
  const words = row.words.map((part) => `public/locales/en-US/${part}.json`);
  return {
    pattern: patternOf(row.path, ...aliasesOf(row)),
    modules: [...modules, ...words],
    face: titled.includes(row.keyArt) ? titleFace : undefined,
  };
});

const entryTag = /<script type="module"[^>]*><\/script>/;
const preloadTags = /<link rel="modulepreload"[^>]*>/g;

/**
 * Defers the scripts of the portal until the first picture is painted (`first-picture.ts`), and
 * adds the files of the requested page, so that these are fetched at once and not after the first
 * scripts have run.
 */
export function laterScripts(): Plugin {
  return {
    name: 'later-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        const [entry] = entryTag.exec(html) ?? [];
        if (entry === undefined) throw new Error('The page has no script.');
        const pageFiles = preloadScript(new Map(Object.entries(bundle ?? {})));
        // Separate scripts instead of preloads, so that each runs in a task of its own. The entry
        // alone would run all of them in one long task, and a phone would not react meanwhile.
        const parts = (html.match(preloadTags) ?? []).map(asScript);
        const tags = [...parts, `<script>${pageFiles}</script>`, entry];
        const template = `<template id="${startElementId}">\n      ${tags.join('\n      ')}\n    </template>`;
        return html.replaceAll(preloadTags, '').replace(entryTag, () => template);
      },
    },
  };
}

function asScript(preloadTag: string): string {
  const [href] = /href="[^"]+"/.exec(preloadTag) ?? [];
  if (href === undefined) throw new Error(`The preload tag has no href: ${preloadTag}`);
  return `<script type="module" crossorigin ${href.replace('href', 'src')}></script>`;
}

type Bundle = ReadonlyMap<string, Rolldown.OutputAsset | Rolldown.OutputChunk>;

function preloadScript(bundle: Bundle): string {
  const files = preloaded.map(({ pattern, modules, face }) => [
    pattern,
    filesOf(bundle, modules),
    face,
  ]);
  return `
      (() => {
        const found = ${JSON.stringify(files)}.find(([pattern]) => new RegExp(pattern).test(location.pathname));
        const [, files = [], face] = found ?? [];
        for (const href of files) {
          const link = document.createElement('link');
          const isStyle = href.endsWith('.css');
          Object.assign(link, { rel: isStyle ? 'preload' : 'modulepreload', crossOrigin: '', href });
          if (isStyle) link.as = 'style';
          document.head.append(link);
        }
        if (face) document.fonts.load(face).catch(() => {});
      })();
    `;
}

/** The scripts and styles that modules need, without those of the entry, which the page names itself. */
function filesOf(bundle: Bundle, modules: readonly string[]): string[] {
  const chunks = [...bundle.values()].filter((file) => file.type === 'chunk');
  const closureOf = (chunk: Rolldown.OutputChunk, found = new Set<Rolldown.OutputChunk>()) => {
    if (found.has(chunk)) return found;
    found.add(chunk);
    for (const name of chunk.imports) {
      const imported = bundle.get(name);
      if (imported?.type === 'chunk') closureOf(imported, found);
    }
    return found;
  };
  const entry = chunks.find(({ isEntry }) => isEntry);
  const known = entry === undefined ? new Set() : closureOf(entry);
  const needed = modules.flatMap((module) => {
    const chunk = chunks.find(({ moduleIds, facadeModuleId }) =>
      [facadeModuleId, ...moduleIds].some((id) => id?.endsWith(`/${module}`)),
    );
    if (chunk === undefined) throw new Error(`There is no chunk of ${module}.`);
    return [...closureOf(chunk)].filter((each) => !known.has(each));
  });
  const files = needed.flatMap((chunk) => [
    chunk.fileName,
    ...(chunk.viteMetadata?.importedCss ?? []),
  ]);
  return [...new Set(files)].map((name) => `/${name}`);
}
