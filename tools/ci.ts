// The gate, which must pass before a change lands: npm run ci [-- --times]
// Some steps run a sample that is chosen by the commit; npm run night runs everything.
import { check, compose, runAll, tests } from './ci/steps.ts';
import { drills } from './sample/drills.ts';
import { sampleCommit, sampleOf } from './sample/sample.ts';

const commit = sampleCommit();
const chosenDrills = sampleOf(drills, { commit, share: 1 / 3, nameOf: (name) => name });
const sampled = { SAMPLE_COMMIT: commit };
process.stdout.write(
  `Samples of ${commit}: drill ${chosenDrills.join(', ')}; seeded-bugs and walk name theirs, e2e in its titles\n`,
);

// A complete drill takes a quarter of an hour; the smaller size shows that it works.
const drillSize = {
  DRILL_ROUNDS: '10',
  DRILL_EVENTS: '500',
  DRILL_KILLS: '8',
  DRILL_SEED: String(Number.parseInt(commit.slice(0, 7), 16)),
};

await runAll([
  // Before seeded bugs, whose copies of the sources would be checked too.
  [
    [check('types'), check('lint')],
    [check('tidy'), check('knip'), compose, check('build')],
  ],
  // Each of these uses both cores, so running them concurrently would save no time.
  [[tests('test')]],
  [[check('seeded-bugs', { env: sampled })]],
  [[tests('conformance')]],
  [[tests('drill', { args: chosenDrills, env: drillSize })]],
  [[tests('e2e', { env: sampled })]],
  [[tests('walk', { env: sampled })]],
  [[check('spec')]],
]);
