// The gate, everything that must hold before a change lands: npm run ci [-- --times]
// Parts of it are samples, chosen by the commit. The whole of them is npm run night.
import { check, compose, runAll, tests } from './ci/steps.ts';
import { drills } from './sample/drills.ts';
import { sampleCommit, sampleOf } from './sample/sample.ts';

const commit = sampleCommit();
const chosenDrills = sampleOf(drills, { commit, share: 1 / 3, nameOf: (name) => name });
const sampled = { SAMPLE_COMMIT: commit };
process.stdout.write(
  `Samples of ${commit}: drill ${chosenDrills.join(', ')}; seeded-bugs and walk name theirs, e2e in its titles\n`,
);

// A drill in full takes a quarter of an hour; here it shows that it runs, and that nothing is badly wrong.
const drillSize = {
  ...{ DRILL_ROUNDS: '10', DRILL_EVENTS: '500', DRILL_KILLS: '8' },
  DRILL_SEED: String(Number.parseInt(commit.slice(0, 7), 16)),
};

await runAll([
  // Before seeded bugs, whose copies of the sources would be looked at, too.
  [
    [check('types'), check('lint')],
    [check('tidy'), check('knip'), compose, check('build')],
  ],
  // Each of these uses both cores. Side by side they would take as long, and starve each other.
  [[tests('test')]],
  [[check('seeded-bugs', { env: sampled })]],
  [[tests('conformance')]],
  [[tests('drill', { args: chosenDrills, env: drillSize })]],
  [[tests('e2e', { env: sampled })]],
  [[tests('walk', { env: sampled })]],
  [[check('spec')]],
]);
