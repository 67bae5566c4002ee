import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate as operateShop } from '../../../test/operate.ts';
import { givenAccount } from '../../../test/orders.ts';
import { personEnvironment, realName } from '../../../test/people.ts';
import { operateByProgram } from '../../../test/processes.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { openPeople, realNameOf } from './real-names.ts';

const keys = personEnvironment();
let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...keys });
});
afterAll(() => shop.closeAll());

const operate = (args: readonly string[], input: unknown = '', environment: object = keys) =>
  operateShop(shop, args, { input, environment: { ...environment } });

test('an operator can import, show, find and shred real-name data and rotate its keys from the command line', async () => {
  const accountId = await givenAccount(shop.db);
  const by = ['--by', 'ines'];
  const piped = { input: realName, environment: keys };
  expect(await operateByProgram(shop, ['import-person', accountId, ...by], piped)).toMatchObject({
    status: 0,
    complaint: '',
  });
  const person = await realNameOf(shop.db, shop.people, accountId);
  expect(person?.identityNumber?.reveal()).toBe(realName.identityNumber);

  const shown = await operate(['show-person', accountId, ...by]);
  expect(JSON.parse(shown.out)).toMatchObject({ fullName: '张*丰', phone: '+86 ********000' });
  expect(shown.out).not.toContain(realName.identityNumber);
  expect((await operate(['show-person', accountId])).complaint).toBe('--by is missing\n');

  const { identityNumber } = realName;
  const found = await operate(['find-person', ...by], { identityNumber });
  expect(JSON.parse(found.out)).toEqual([accountId]);

  const next = { id: 'k2', key: randomBytes(32) };
  const PERSON_KEYS = JSON.stringify([
    { ...next, key: next.key.toString('base64') },
    ...JSON.parse(keys.PERSON_KEYS),
  ]);
  const rotated = await operate(['rotate-person-keys', '--by', 'ines'], '', {
    ...keys,
    PERSON_KEYS,
  });
  expect(JSON.parse(rotated.out)).toEqual({ rewrapped: 1 });
  const { PERSON_INDEX_KEY: indexKey } = shop.config;
  const afterwards = openPeople({ keys: [next], indexKey });
  expect((await realNameOf(shop.db, afterwards, accountId))?.fullName?.reveal()).toBe('张三丰');

  expect((await operate(['shred-person', accountId, ...by])).status).toBe(0);
  expect(await realNameOf(shop.db, afterwards, accountId)).toBeUndefined();
  expect(await operate(['shred-person', accountId, ...by])).toMatchObject({ status: 1, out: '' });
});

test('a real-name import with invalid data or an unknown account is refused and stores nothing', async () => {
  const accountId = await givenAccount(shop.db);
  const run = (input: unknown, id = accountId) =>
    operate(['import-person', id, '--by', 'ines'], input);
  const refusals = await Promise.all([
    run({ ...realName, birthday: '1990-04-31', phone: '13800138000' }),
    run(`{"identityNumber": "${realName.identityNumber}`),
    run(realName, '01970000-0000-7000-8000-000000000000'),
    run(realName, 'nobody'),
  ]);
  expect(refusals.map(({ status, complaint }) => [status, complaint])).toEqual([
    [1, expect.stringMatching(/not usable:\n {2}phone: .*\n {2}birthday: .*\n$/)],
    [1, 'standard input is not JSON\n'],
    [1, 'there is no account 01970000-0000-7000-8000-000000000000\n'],
    [1, 'there is no account nobody\n'],
  ]);
  expect(await realNameOf(shop.db, shop.people, accountId)).toBeUndefined();
});
