import { realNameInfo } from '@pointgate/contract/people.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { givenBuyer } from '../../../test/buying.ts';
import { givenPerson, personEnvironment } from '../../../test/people.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { findPeople, maskedRealName, openPeople, readRealName, realNameOf } from './real-names.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...personEnvironment() });
});
afterAll(() => shop.closeAll());

const AuditRow = z.object({
  action: z.string(),
  by: z.string(),
  request_id: z.string().nullable(),
  at: z.date(),
});

const auditsOf = (accountId: string | null) =>
  shop.db.many(
    AuditRow,
    sql`
      select action, by, request_id, at from person_audits
      where account_id is not distinct from ${accountId}::uuid order by id`,
  );

const query = (cookie: string) => send(shop, realNameInfo.path, { cookie });

const since = (start: number) => (at: Date) => at.getTime() >= start - 1000;

test('each read of real-name data by its player writes one audit row with author, time and request id', async () => {
  const start = Date.now();
  const { accountId, cookie } = await givenBuyer(shop);
  await givenPerson(shop, accountId);
  const replies = [await query(cookie), await query(cookie), await query(cookie)];
  const [imported, ...reads] = await auditsOf(accountId);
  expect(imported).toMatchObject({ action: 'imported', by: 'operator', request_id: null });
  expect(reads.map(({ at: _at, ...row }) => row)).toEqual(
    replies.map(({ requestId }) => ({ action: 'read', by: 'player', request_id: requestId })),
  );
  expect(reads.map(({ at }) => at).every(since(start))).toBe(true);
});

test('each operator access to real-name data writes one audit row with the operator name and returns masked data', async () => {
  const start = Date.now();
  const { accountId } = await givenBuyer(shop);
  await givenPerson(shop, accountId, { phone: '+821012345679' });
  const look = { accountId, by: 'ines', requestId: null };
  const shown = maskedRealName(await readRealName(shop.db, shop.people, look));
  expect(shown).toMatchObject({ fullName: '张*丰', birthday: '***' });
  const wanted = { phone: '+821012345679', identityNumber: null, by: 'jo' };
  expect(await findPeople(shop.db, shop.people, wanted)).toEqual([accountId]);
  const [, ...looks] = await auditsOf(accountId);
  expect(looks).toEqual([
    { action: 'read', by: 'ines', request_id: null, at: expect.any(Date) },
    { action: 'found', by: 'jo', request_id: null, at: expect.any(Date) },
  ]);
  expect(looks.map(({ at }) => at).every(since(start))).toBe(true);
});

test('an operator search for an unknown phone number is audited as not_found', async () => {
  const before = (await auditsOf(null)).length;
  const wanted = { phone: '+821099999999', identityNumber: null, by: 'jo' };
  expect(await findPeople(shop.db, shop.people, wanted)).toEqual([]);
  expect((await auditsOf(null)).slice(before)).toMatchObject([{ action: 'not_found', by: 'jo' }]);
});

test('a failed read of real-name data by a player or an operator writes one audit row', async () => {
  const { accountId, cookie } = await givenBuyer(shop);
  await givenPerson(shop, accountId);
  // Corrupts the stored ciphertext, so that decryption fails.
  await shop.db.transaction((tx) =>
    tx.run(sql`update people set full_name = address where account_id = ${accountId}`),
  );
  const reply = await query(cookie);
  expect(reply).toMatchObject({ httpStatus: 500, code: 'InternalError', data: null });
  const look = { accountId, by: 'ines', requestId: null };
  await expect(readRealName(shop.db, shop.people, look)).rejects.toThrow();
  const keyless = openPeople({ keys: undefined, indexKey: undefined });
  await expect(readRealName(shop.db, keyless, look)).rejects.toThrow('PERSON_KEYS');
  expect(await auditsOf(accountId)).toMatchObject([
    { action: 'imported' },
    { action: 'read_failed', by: 'player', request_id: reply.requestId, at: expect.any(Date) },
    { action: 'read_failed', by: 'ines', request_id: null },
    { action: 'read_failed', by: 'ines', request_id: null },
  ]);
});

test('a read of real-name data by the shop itself, to decide about a payment, writes no audit row', async () => {
  const { accountId } = await givenBuyer(shop);
  await givenPerson(shop, accountId);
  await realNameOf(shop.db, shop.people, accountId);
  expect(await auditsOf(accountId)).toMatchObject([{ action: 'imported' }]);
});
