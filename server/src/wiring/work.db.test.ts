import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { sweepsOf } from './work.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' }, { ownUsers: true });
});
afterAll(() => shop.closeAll());

test("every periodic cleanup and check of the worker succeeds with the privileges of the worker's database user", async () => {
  const sweeps = sweepsOf(shop.workerShop);
  expect(sweeps.length).toBeGreaterThan(20);
  for (const { name, sweep } of sweeps) {
    const outcome = await sweep().then(
      () => 'swept',
      (error: Error) => error.message,
    );
    expect([name, outcome]).toEqual([name, 'swept']);
  }
});
