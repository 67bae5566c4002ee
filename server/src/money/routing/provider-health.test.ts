import { beforeAll, expect, test } from 'vitest';
import { log } from '../../platform/log.ts';
import { openSharedValues, type SharedValues } from '../../platform/shared-values.ts';
import { openProviderHealth } from './provider-health.ts';

beforeAll(() => {
  log.level = 'silent';
});

let now = 0;
const later = (seconds: number) => {
  now += seconds * 1_000;
};
const openValues = () => openSharedValues({ redisUrl: undefined, prefix: 'test:', keepMs: 60_000 });
const openHealth = (values: SharedValues = openValues()) => openProviderHealth(values, () => now);
const tried = (isAnswered: boolean) => {
  return { begunAt: now, endedAt: now, isAnswered, isFirst: true };
};

async function givenFailing() {
  const health = openHealth();
  for (let calls = 0; calls < 5; calls += 1) await health.told('stripe', tried(false));
  return health;
}

test('a payment provider whose calls stay unanswered counts as failing, without an effect on other providers', async () => {
  const health = await givenFailing();
  expect(await health.standing('stripe')).toBe('failing');
  expect(await health.mayCall('stripe')).toBe(false);
  expect(await health.standing('paypal')).toBe('well');
  expect(await health.mayCall('paypal')).toBe(true);
});

test('a trial call to a failing payment provider is given to one of twenty concurrent callers, and its success allows all calls again', async () => {
  const health = await givenFailing();
  later(31);
  expect(await health.triesBeforeNow('stripe')).toBe(0);
  const turns = await Promise.all(Array.from({ length: 20 }, () => health.mayCall('stripe')));
  expect(turns.filter(Boolean)).toHaveLength(1);
  expect(await health.triesBeforeNow('stripe')).toBeUndefined();
  await health.told('stripe', tried(true));
  expect(await health.mayCall('stripe')).toBe(true);
  expect(await health.mayCall('stripe')).toBe(true);
});

test('a failed trial call to a failing payment provider keeps it failing and raises its number of failed trials by one', async () => {
  const health = await givenFailing();
  later(31);
  await health.mayCall('stripe');
  await health.told('stripe', tried(false));
  expect(await health.standing('stripe')).toBe('failing');
  later(61);
  expect(await health.triesBeforeNow('stripe')).toBe(1);
});

test('every payment provider counts as healthy while the shared provider health cannot be read or written', async () => {
  const away = async () => {
    throw new Error('Redis is away');
  };
  const health = openHealth({ read: away, swap: away, isThere: async () => false, close: away });
  for (let calls = 0; calls < 9; calls += 1) await health.told('stripe', tried(false));
  expect(await health.standing('stripe')).toBe('well');
  expect(await health.mayCall('stripe')).toBe(true);
  expect(await health.triesBeforeNow('stripe')).toBeUndefined();
});

test('a provider health value in Redis that another version of the shop wrote is ignored', async () => {
  const values = openValues();
  await values.swap('stripe', { before: null, after: '{"state":"broken"}' });
  expect(await openHealth(values).standing('stripe')).toBe('well');
});
