import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { givenAccount } from '../../../test/orders.ts';
import { importPerson, realName } from '../../../test/people.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import {
  openPeople,
  type PeopleContext,
  RealNameImport,
  realNameOf,
  rotatePersonKeys,
  shredPerson,
} from './real-names.ts';

// Interruption and concurrency of a key rotation; people.db.test.ts tests that it rewraps every key.

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
afterAll(() => shop.closeAll());

const newKey = (id: string) => ({ id, key: randomBytes(32) });
const [oldest, old, current] = [newKey('k0'), newKey('k1'), newKey('k2')];
const indexKey = randomBytes(32);
const opened = (...keys: (typeof old)[]): PeopleContext => openPeople({ keys, indexKey });
const data = RealNameImport.parse(realName);

async function givenPeople(count: number, people: PeopleContext): Promise<string[]> {
  const accountIds: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const accountId = await givenAccount(shop.db);
    await importPerson({ db: shop.db, people }, { accountId, data, by: 'operator' });
    accountIds.push(accountId);
  }
  return accountIds;
}

async function keysInUse(): Promise<Record<string, number>> {
  const rows = await shop.db.many(
    z.object({ key_id: z.string(), count: z.int() }),
    sql`select key_id, count(*)::int as count from person_keys group by key_id order by key_id`,
  );
  return Object.fromEntries(rows.map(({ key_id, count }) => [key_id, count]));
}

async function numberOf(people: PeopleContext, accountId: string): Promise<string | undefined> {
  return (await realNameOf(shop.db, people, accountId))?.identityNumber?.reveal();
}

test('an interrupted rotation of the master keys for personal data keeps finished batches, and a second run completes it', async () => {
  const accountIds = (await givenPeople(201, opened(old))).toSorted();
  const last = accountIds.at(-1) ?? '';
  // Fails in the second batch: the key that wraps the data of the last account is missing.
  await importPerson(
    { db: shop.db, people: opened(oldest) },
    { accountId: last, data, by: 'operator' },
  );
  await expect(rotatePersonKeys(shop.db, opened(current, old))).rejects.toThrow('k0');
  expect(await keysInUse()).toEqual({ k0: 1, k2: 200 });
  for (const accountId of accountIds.slice(0, -1)) {
    expect(await numberOf(opened(current), accountId)).toBe(realName.identityNumber);
  }

  expect(await rotatePersonKeys(shop.db, opened(current, oldest))).toBe(1);
  expect(await keysInUse()).toEqual({ k2: 201 });
  expect(await numberOf(opened(current), last)).toBe(realName.identityNumber);
});

test('real-name data can be read, imported and shredded while the master keys for personal data are rotated', async () => {
  const accountIds = await givenPeople(401, opened(old));
  const [imported = '', shredded = '', ...others] = accountIds;
  const both = opened(current, old);
  const found: (string | undefined)[] = [];
  let isOver = false;
  const read = async () => {
    for (let index = 0; !isOver; index = (index + 7) % others.length) {
      found.push(await numberOf(both, others[index] ?? ''));
    }
  };
  const readers = [read(), read()];
  const rotating = rotatePersonKeys(shop.db, both);
  await importPerson({ db: shop.db, people: both }, { accountId: imported, data, by: 'operator' });
  await shop.db.transaction((tx) => shredPerson(tx, { accountId: shredded, by: 'ines' }));
  await rotating;
  isOver = true;
  await Promise.all(readers);

  expect(found.length).toBeGreaterThan(10);
  expect(new Set(found)).toEqual(new Set([realName.identityNumber]));
  const { k1 = 0, k0 = 0 } = await keysInUse();
  expect([k0, k1]).toEqual([0, 0]);
  for (const accountId of [imported, ...others]) {
    expect(await numberOf(opened(current), accountId)).toBe(realName.identityNumber);
  }
  expect(await numberOf(opened(current), shredded)).toBeUndefined();
});

test('two concurrent rotations of the master keys for personal data rewrap each data key once', async () => {
  await rotatePersonKeys(shop.db, opened(current, old));
  const accountIds = await givenPeople(30, opened(old));
  const both = opened(current, old);
  const counts = await Promise.all([1, 2].map(() => rotatePersonKeys(shop.db, both)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
  for (const accountId of accountIds) {
    expect(await numberOf(opened(current), accountId)).toBe(realName.identityNumber);
  }
});

test('real-name data written by a server that lacks the new master key is rewrapped by the next key rotation', async () => {
  await rotatePersonKeys(shop.db, opened(current, old));
  const [accountId = ''] = await givenPeople(1, opened(old));
  expect(await rotatePersonKeys(shop.db, opened(current, old))).toBe(1);
  expect(await numberOf(opened(current), accountId)).toBe(realName.identityNumber);
});
