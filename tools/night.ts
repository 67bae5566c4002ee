// All tests at full size, for an idle machine: npm run night [-- --times]
import { check, compose, runAll, tests } from './ci/steps.ts';

const fullSize = { TEST_SIZE: 'full', REDEEM_CODES: '100000' };

// In sequence, because several of these compare durations.
await runAll(
  [
    check('types'),
    check('lint'),
    check('tidy'),
    check('knip'),
    check('build'),
    compose,
    tests('test', { env: fullSize }),
    tests('conformance'),
    tests('measure'),
    tests('e2e'),
    tests('walk'),
    check('seeded-bugs'),
    tests('drill'),
    check('lighthouse'),
    check('books-million'),
    check('spec'),
  ].map((step) => [[step]]),
);
