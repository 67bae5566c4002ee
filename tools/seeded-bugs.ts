// Sows known bugs into a copy of the shop, one at a time, and sees whether its test finds it:
// npm run seeded-bugs [-- part of a bug's name]
// A test suite that stays green with a bug in it proves nothing about the code without it.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readVitestReport, vitestReport } from './reports/reports.ts';
import { askedSample, sampleOf } from './sample/sample.ts';
import { bugs, type SeededBug } from './seeded-bugs/bugs.ts';
import { copyTree, type ScratchTree } from './seeded-bugs/scratch-tree.ts';
import { startServices } from './services/start-services.ts';

type Tree = ScratchTree & { env: NodeJS.ProcessEnv };

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const [, , wanted = ''] = process.argv;
const byName = (bug: SeededBug) => bug.name;
const chosen = sampleOf(bugs, { commit: askedSample, share: 0.5, nameOf: byName }).filter(
  ({ name }) => name.includes(wanted),
);

// Two at a time, each in a copy of its own.
const trees = await Promise.all([openTree(), openTree()]);
process.on('exit', () => {
  for (const tree of trees) tree.remove();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const [firstTree] = trees;
if (firstTree === undefined) throw new Error('no copy was made');
// Whoever changed the code that a bug was made for hears of it before anything runs.
for (const bug of bugs) firstTree.change(bug)();

say(`${chosen.length} of ${bugs.length} bugs: ${chosen.map(byName).join('; ')}`);
// In the gate the step `test` shows that these tests are green without a bug.
if (askedSample === 'all') {
  say('first, all their tests without any');
  const clean = await runTests(firstTree, chosen);
  if (clean.failed.length > 0 || clean.ran === 0) {
    say(`the tests are not green without a bug: ${clean.failed.join(', ') || 'none ran'}`);
    process.exit(1);
  }
}

const escaped: string[] = [];
const waiting = [...chosen];
await Promise.all(trees.map(sow));
say(`caught ${chosen.length - escaped.length} of ${chosen.length}`);
// The servers end with this process.
process.exit(escaped.length === 0 ? 0 : 1);

/** A copy of the sources, with servers that all test runs in it use one after the other. */
async function openTree(): Promise<Tree> {
  const tree = copyTree(root);
  const dataDir = join(tree.folder, '.pointgate', 'services');
  const { databaseUrl, redisUrl } = await startServices({ dataDir, durable: false });
  const servers = { DATABASE_URL: databaseUrl, ...(redisUrl && { REDIS_URL: redisUrl }) };
  return { ...tree, env: { ...process.env, ...servers } };
}

async function sow(tree: Tree): Promise<void> {
  for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
    const mend = tree.change(bug);
    const start = performance.now();
    const { failed } = await runTests(tree, [bug]);
    mend();
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    if (failed.length === 0) escaped.push(bug.name);
    say(`${failed.length > 0 ? 'caught ' : 'ESCAPED'} ${bug.name} (${seconds} s)`);
  }
}

async function runTests(
  { folder, env }: Tree,
  sown: readonly SeededBug[],
): Promise<{ ran: number; failed: string[] }> {
  const report = join(folder, vitestReport);
  rmSync(report, { force: true });
  const files = [...new Set(sown.map(({ test }) => test.file))];
  const names = sown.map(({ test }) => test.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporter = ['--reporter=json', `--outputFile.json=${vitestReport}`];
  const args = [vitest, 'run', ...reporter, '-t', names.join('|'), ...files];
  // It ends with 1 when a test fails, which is what we are here for.
  await run(process.execPath, args, { cwd: folder, env, maxBuffer: 2 ** 28 }).catch(() => {});
  const results = readVitestReport(folder);
  if (results === undefined) throw new Error('the tests did not run');
  return {
    ran: results.filter(({ status }) => status !== 'skipped').length,
    failed: results.filter(({ status }) => status === 'failed').map(({ title }) => title),
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
