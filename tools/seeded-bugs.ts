// Seeds known bugs into a copy of the shop, one at a time, and checks that a test fails:
// npm run seeded-bugs [-- part of a bug's name]
// Tests that pass with a bug prove nothing about the code without it.
import { join } from 'node:path';
import { askedSample, sampleOf } from './sample/sample.ts';
import { bugs, type SeededBug } from './seeded-bugs/bugs.ts';
import { copyTree, type ScratchTree } from './seeded-bugs/scratch-tree.ts';
import { openTestRunner, type TestOutcome, type TestRunner } from './seeded-bugs/test-runner.ts';

type Lane = { tree: ScratchTree; tests: TestRunner };

const root = join(import.meta.dirname, '..');
const [, , wanted = ''] = process.argv;
const byName = (bug: SeededBug) => bug.name;
const chosen = sampleOf(bugs, { commit: askedSample, share: 0.5, nameOf: byName }).filter(
  ({ name }) => name.includes(wanted),
);

// Two in parallel, each in a separate copy.
const trees = [copyTree(root), copyTree(root)] as const;
process.on('exit', () => {
  for (const tree of trees) tree.remove();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

// Fails early if the source of a bug has changed.
for (const bug of bugs) trees[0].change(bug)();

say(`${chosen.length} of ${bugs.length} bugs: ${chosen.map(byName).join('; ')}`);
const lanes = await Promise.all(trees.map(openLane));
// In the gate, the step `test` already runs these tests without bugs.
if (askedSample === 'all') await runWithoutBugs();

const escaped: string[] = [];
const waiting = [...chosen];
await Promise.all(lanes.map(sow));
say(`caught ${chosen.length - escaped.length} of ${chosen.length}`);
await Promise.all(lanes.map(({ tests }) => tests.close()));
process.exit(escaped.length === 0 ? 0 : 1);

async function openLane(tree: ScratchTree): Promise<Lane> {
  return { tree, tests: await openTestRunner(tree.folder) };
}

async function runWithoutBugs(): Promise<void> {
  say('first, all their tests without any');
  const [lane] = lanes;
  if (lane === undefined) throw new Error('no copy was made');
  const { ran, failed, errors } = await lane.tests.run(chosen.map(({ test }) => test));
  if (ran > 0 && failed.length === 0 && errors.length === 0) return;
  const reasons = [...failed, ...errors].join(', ');
  say(`the tests are not green without a bug: ${reasons || 'none ran'}`);
  process.exit(1);
}

async function sow(lane: Lane): Promise<void> {
  for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
    const start = performance.now();
    const outcome = await runWithBug(lane, bug);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    // Only failed tests count as a detection, not files that could not be loaded.
    const isCaught = outcome.failed.length > 0;
    if (!isCaught) escaped.push(bug.name);
    say(`${isCaught ? 'caught ' : 'ESCAPED'} ${bug.name} (${seconds} s)`);
    if (outcome.ran === 0) say(`  no test ran: ${outcome.errors.join(', ') || bug.test.name}`);
  }
}

async function runWithBug({ tree, tests }: Lane, bug: SeededBug): Promise<TestOutcome> {
  const mend = tree.change(bug);
  tests.reload(bug.file);
  const outcome = await tests.run([bug.test]);
  mend();
  tests.reload(bug.file);
  return outcome;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
