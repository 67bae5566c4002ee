// @vitest-environment node
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type PageRow, pages } from '@pointgate/contract/pages.ts';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';
import { pageWords } from '../src/shared/i18n/words.ts';

// Bytes of a page, texts included, relative to the bytes of its libraries alone.
const shareMax = 1.65;

/** The modules that each page loads in addition to the entry. */
const weighed = {
  login: ['src/features/login/login-page.tsx'],
  home: ['src/app/routes/home-route.tsx'],
  'top-up': ['src/app/routes/recharge-route.tsx'],
  order: ['src/app/routes/order-route.tsx', 'public/locales/en-US/orders.json'],
  account: [
    'src/app/routes/account-route.tsx',
    'public/locales/en-US/orders.json',
    'public/locales/en-US/account.json',
  ],
};

const root = join(import.meta.dirname, '..');
let bareBytes = 0;
let portal: Rolldown.OutputChunk[] = [];
let page = '';

beforeAll(async () => {
  // With NODE_ENV `test` the build would contain the development code of React.
  vi.stubEnv('NODE_ENV', 'production');
  const input = join(import.meta.dirname, 'bare-page.tsx');
  const bare = await filesOf({ configFile: false, build: { rolldownOptions: { input } } });
  bareBytes = weigh(closureOf(chunksOf(bare), [input]));
  const built = await filesOf({ configFile: join(root, 'vite.config.ts') });
  portal = chunksOf(built);
  const html = built.find(({ fileName }) => fileName === 'index.html');
  if (html?.type === 'asset') page = String(html.source);
  vi.unstubAllEnvs();
});

test.for(Object.entries(weighed))(
  'the first load of the %s page of the portal stays within a fixed multiple of the size of its bare libraries',
  ([page, modules]) => {
    const entry = join(root, 'index.html');
    const own = modules.map((path) => join(root, path));
    const bytes = weigh(closureOf(portal, [entry, ...own]));
    const share = bytes / bareBytes;
    process.stdout.write(
      `first load of ${page}: ${inKb(bytes)}, of bare libraries ${inKb(bareBytes)}: ${share.toFixed(2)}\n`,
    );
    expect(bareBytes).toBeGreaterThan(80_000);
    expect(share).toBeGreaterThan(1);
    expect(share).toBeLessThanOrEqual(shareMax);
  },
);

test('index.html of the portal has a script for each JavaScript entry chunk, after the chunks that it imports', () => {
  const scripts = [...page.matchAll(/<script type="module"[^>]* src="\/([^"]+)"/g)].map(
    ([, file = '']) => file,
  );
  const start = closureOf(portal, [join(root, 'index.html')]);
  expect(scripts.toSorted()).toEqual([...start].map(({ fileName }) => fileName).toSorted());
  expect(scripts.length).toBeGreaterThan(4);
  for (const { fileName, imports } of start) {
    const place = scripts.indexOf(fileName);
    expect(imports.filter((name) => scripts.indexOf(name) > place)).toEqual([]);
  }
});

test('contract modules that only servers need are not bundled into the portal', () => {
  const loaded = portal.flatMap(({ moduleIds }) => moduleIds);
  const isLoaded = (part: string) => loaded.includes(join(root, `../contract/src/${part}.ts`));
  expect(['accounts', 'analytics', 'arrivals'].filter(isLoaded)).toHaveLength(3);
  expect(['credentials', 'log-events', 'tickets'].filter(isLoaded)).toEqual([]);
});

test('the summary texts of API endpoints are not bundled into the portal', () => {
  const withSummary = portal.filter(({ code }) => /\bsummary:\s*["'`]/.test(code));
  expect(withSummary.map(({ fileName }) => fileName)).toEqual([]);
});

test('a page of the portal declares every section of locale texts that the page and its lazy chunks use', async () => {
  const code = await readFile(join(root, 'src/app/page-code.ts'), 'utf8');
  const keysOf = new Map<string, Set<string>>();
  for (const part of ['shell', ...pageWords]) {
    const file = join(root, `public/locales/en-US/${part}.json`);
    keysOf.set(part, new Set(keysIn(JSON.parse(await readFile(file, 'utf8')))));
  }
  const declared = [
    ...code.matchAll(/(\w+)(?::| =) async \(\) =>\s*\(await import\('(\.{1,2}\/.+?)'\)\)/g),
  ].flatMap(([, name = '', path = '']) =>
    Object.values(pages)
      .flatMap((group) => Object.entries<PageRow>(group))
      .filter(([page]) => page === name)
      .map(([, { words }]) => ({ path, words })),
  );
  expect(declared.length).toBeGreaterThan(20);
  let seen = 0;
  for (const { path, words } of declared) {
    const parts = ['shell', ...words];
    const known = new Set(parts.flatMap((part) => [...(keysOf.get(part) ?? [])]));
    const others = [...keysOf.values()]
      .flatMap((keys) => [...keys])
      .filter((key) => !known.has(key));
    const text = ownTextOf(join(root, 'src/app', path));
    const lacking = others.filter((key) => isSaidIn(text, key));
    expect([path, lacking]).toEqual([path, []]);
    seen += [...known].filter((key) => isSaidIn(text, key)).length;
  }
  expect(seen).toBeGreaterThan(500);
});

/** The unminified code of a page and its lazy chunks, without the chunks of the shell. */
function ownTextOf(module: string): string {
  const shell = closureOf(portal, [join(root, 'index.html')]);
  const chunks = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined) => {
    if (chunk === undefined || chunks.has(chunk) || shell.has(chunk)) return;
    chunks.add(chunk);
    for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
      add(portal.find(({ fileName }) => fileName === name));
    }
  };
  for (const chunk of closureOf(portal, [module])) add(chunk);
  return [...chunks]
    .flatMap(({ modules }) => Object.entries(modules))
    .map(([id, { code }]) => (id.endsWith('.json') ? '' : (code ?? '')))
    .join('\n');
}

/**
 * Whether the text has the key as a literal, or a template with its prefix, `order.status.${…}`.
 */
function isSaidIn(text: string, key: string): boolean {
  const plain = key.replace(/_(one|other)$/, '');
  const prefix = plain.slice(0, plain.lastIndexOf('.') + 1);
  return (
    ['"', "'", '`'].some((quote) => text.includes(quote + plain + quote)) ||
    text.includes(`\`${prefix}\${`)
  );
}

function keysIn(words: object, path = ''): string[] {
  return Object.entries(words).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [path + name] : keysIn(inner, `${path}${name}.`),
  );
}

/** Builds as for production, but writes nothing. */
async function filesOf(config: InlineConfig) {
  const built = await build({
    root,
    logLevel: 'error',
    ...config,
    build: { target: ['chrome107', 'safari16.4'], write: false, ...config.build },
  });
  if ('on' in built) throw new Error('The build returned a watcher.');
  return [built].flat().flatMap(({ output }) => output);
}

function chunksOf(files: Awaited<ReturnType<typeof filesOf>>): Rolldown.OutputChunk[] {
  return files.filter((file) => file.type === 'chunk');
}

/** The chunks of these modules, and whatever they import before they run. */
function closureOf(
  chunks: readonly Rolldown.OutputChunk[],
  modules: readonly string[],
): Set<Rolldown.OutputChunk> {
  const found = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputChunk | undefined, name: string) => {
    if (chunk === undefined) throw new Error(`There is no chunk of ${name}.`);
    if (found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) {
      add(
        chunks.find(({ fileName }) => fileName === file),
        file,
      );
    }
  };
  for (const module of modules) {
    add(
      chunks.find(({ moduleIds, facadeModuleId }) =>
        [...moduleIds, facadeModuleId].includes(module),
      ),
      module,
    );
  }
  return found;
}

const weights = new Map<Rolldown.OutputChunk, number>();

function weigh(chunks: ReadonlySet<Rolldown.OutputChunk>): number {
  const weightOf = (chunk: Rolldown.OutputChunk) => {
    const bytes = weights.get(chunk) ?? brotliCompressSync(chunk.code).length;
    weights.set(chunk, bytes);
    return bytes;
  };
  return [...chunks].reduce((sum, chunk) => sum + weightOf(chunk), 0);
}

function inKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
