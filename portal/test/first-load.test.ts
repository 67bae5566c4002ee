// @vitest-environment node
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type InlineConfig, type Rolldown } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';

// The libraries alone weigh 1. What a page of the shop adds to them should weigh 0.6 at most; the
// top-up page is still a little above that, and none may grow.
const shareMax = 1.67;

/** What a page loads beside the entry before it is whole. */
const pages = {
  login: ['login/login-page.tsx'],
  home: ['routes/home-route.tsx'],
  'top-up': ['routes/recharge-route.tsx'],
  order: ['routes/order-route.tsx'],
};

const root = join(import.meta.dirname, '..');
let bareBytes = 0;
let portal: Rolldown.OutputChunk[] = [];

beforeAll(async () => {
  // Vitest says `test`, and React would come with everything that helps its developers.
  vi.stubEnv('NODE_ENV', 'production');
  const input = join(import.meta.dirname, 'bare-page.tsx');
  const bare = await chunksOf({ configFile: false, build: { rolldownOptions: { input } } });
  bareBytes = weigh(closureOf(bare, [input]));
  portal = await chunksOf({ configFile: join(root, 'vite.config.ts') });
  vi.unstubAllEnvs();
}, 120_000);

test.for(Object.entries(pages))(
  'the %s page brings little more than its libraries',
  ([page, modules]) => {
    const entry = join(root, 'index.html');
    const own = modules.map((path) => join(root, 'src', path));
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

/** Builds as for production, but writes nothing. */
async function chunksOf(config: InlineConfig): Promise<Rolldown.OutputChunk[]> {
  const built = await build({
    root,
    logLevel: 'error',
    ...config,
    build: { target: ['chrome107', 'safari16.4'], write: false, ...config.build },
  });
  if ('on' in built) throw new Error('This was not meant to watch.');
  return [built].flat().flatMap(({ output }) => output.filter((file) => file.type === 'chunk'));
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
