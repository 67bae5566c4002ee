import { expect, test } from 'vitest';
import { planKills, scaleTo } from './kills.ts';
import { randomOf } from './random.ts';

const counts = { api: 60, worker: 60, database: 30 };

test('the kill plan of a drill has the planned number of kills of each kind, in an order given by the seed', () => {
  const plan = planKills(randomOf('7'), counts);

  expect(plan.filter((kind) => kind === 'api')).toHaveLength(60);
  expect(plan.filter((kind) => kind === 'worker')).toHaveLength(60);
  expect(plan.filter((kind) => kind === 'database')).toHaveLength(30);
  expect(plan).toEqual(planKills(randomOf('7'), counts));
  expect(plan).not.toEqual(planKills(randomOf('8'), counts));
});

test.each([
  [150, counts],
  [10, { api: 4, worker: 4, database: 2 }],
  [2_000, { api: 800, worker: 800, database: 400 }],
])(
  'the kill plan of a drill, scaled to %i kills, keeps the mix of killed APIs, workers and databases',
  (total, expected) => {
    expect(scaleTo(total, counts)).toEqual(expected);
  },
);
