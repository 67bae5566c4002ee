import { randomBytes } from 'node:crypto';
import { realNameInfo } from '@pointgate/contract/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, givenBuyer } from '../../../test/buying.ts';
import { givenAccount } from '../../../test/orders.ts';
import { givenPerson, importPerson, personEnvironment, realName } from '../../../test/people.ts';
import { openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { rawExecutorOf, sql } from '../../platform/db.ts';
import {
  findPeople,
  openPeople,
  type PeopleContext,
  RealNameImport,
  realNameOf,
  rotatePersonKeys,
  shredPerson,
} from './real-names.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...personEnvironment() });
  buyer = await givenBuyer(shop);
  await givenPerson(shop, buyer.accountId);
});
afterAll(() => shop.closeAll());

const query = ({ cookie }: { cookie: string | undefined }, body: object = {}) =>
  send(shop, realNameInfo.path, { cookie, body });

const nothing = Object.fromEntries(Object.keys(realName).map((field) => [field, null]));

const AuditRow = z.object({
  action: z.string(),
  by: z.string(),
  request_id: z.string().nullable(),
  at: z.date(),
});

const auditsOf = (accountId: string) =>
  shop.db.many(
    AuditRow,
    sql`select * from person_audits where account_id = ${accountId} order by id`,
  );

const change = (statement: ReturnType<typeof sql>) =>
  shop.db.transaction((tx) => tx.run(statement));

describe('[S3.09] [S7.12] real-name data of a player', () => {
  test('a player sees their own real-name data masked', async () => {
    expect(await query(buyer)).toMatchObject({
      isSuccess: true,
      data: {
        fullName: '张*丰',
        address: '***',
        phone: '+86 ********000',
        email: 'p***@example.com',
        birthday: '***',
        identityNumber: '1****************x',
        approvalDate: '2026-02-03',
        approvalRegion: '湖北',
      },
    });
  });

  test('a player without real-name data gets null for every field', async () => {
    expect((await query(await givenBuyer(shop))).data).toEqual(nothing);
  });

  test('a player whose real-name data is incomplete gets the stored fields, and null for the others', async () => {
    const other = await givenBuyer(shop);
    const data = RealNameImport.parse({ fullName: 'Jo' });
    await importPerson(shop, { accountId: other.accountId, data, by: 'game' });
    expect((await query(other)).data).toEqual({ ...nothing, fullName: 'J*' });
  });

  test('a request for real-name data without a session is refused', async () => {
    expect(await query({ cookie: undefined })).toMatchObject({ httpStatus: 203, data: null });
  });

  test('a request for real-name data that names another account or a new value is refused as malformed', async () => {
    const body = { accountId: buyer.accountId, fullName: 'Other' };
    expect(await query(buyer, body)).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  });
});

describe('audit of real-name data', () => {
  test('every read of real-name data by a player is recorded with author, time and request id, even if there is no data', async () => {
    const other = await givenBuyer(shop);
    const first = await query(other);
    await givenPerson(shop, other.accountId);
    const second = await query(other);
    expect(await auditsOf(other.accountId)).toMatchObject([
      { action: 'read', by: 'player', request_id: first.requestId, at: expect.any(Date) },
      { action: 'imported', by: 'operator', request_id: null },
      { action: 'read', by: 'player', request_id: second.requestId },
    ]);
  });

  test('audit rows of real-name data cannot be updated, deleted or truncated', async () => {
    await query(buyer);
    const forbidden = 'person_audits is append-only';
    await expect(change(sql`update person_audits set by = 'nobody'`)).rejects.toThrow(forbidden);
    await expect(change(sql`delete from person_audits`)).rejects.toThrow(forbidden);
    await expect(change(sql`truncate person_audits`)).rejects.toThrow(forbidden);
  });
});

test('a dump of the whole database contains no real-name value in plain, hex or Base64 form', async () => {
  const dump = await dumpOf(shop);
  expect(dump).toContain(buyer.accountId);
  const { approvalDate: _date, ...values } = realName;
  const written = Object.values(values).flatMap((value) => [
    value,
    value.toUpperCase(),
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('base64'),
  ]);
  expect(written.filter((text) => dump.includes(text))).toEqual([]);
});

describe('encrypted real-name fields', () => {
  const columns = [
    'full_name',
    'address',
    'phone',
    'email',
    'birthday',
    'identity_number',
    'approval_date',
    'approval_region',
  ];

  test('an encrypted real-name field cannot be decrypted in another column of the same person', async () => {
    for (const [index, column] of columns.entries()) {
      const next = columns[(index + 1) % columns.length];
      const accountId = await givenAccount(shop.db);
      await givenPerson(shop, accountId);
      await rawChange(`update people set ${next} = ${column} where account_id = '${accountId}'`);
      await expect(realNameOf(shop.db, shop.people, accountId)).rejects.toThrow();
    }
  });

  test('an encrypted real-name field cannot be decrypted on another account, even together with its key', async () => {
    const [one, two] = [await givenAccount(shop.db), await givenAccount(shop.db)];
    await givenPerson(shop, one);
    await givenPerson(shop, two);
    await change(sql`
      update people set full_name = (select full_name from people where account_id = ${one})
      where account_id = ${two}`);
    await expect(realNameOf(shop.db, shop.people, two)).rejects.toThrow();
    await change(sql`
      update person_keys as mine set wrapped_key = theirs.wrapped_key
      from person_keys as theirs where mine.account_id = ${two} and theirs.account_id = ${one}`);
    await expect(realNameOf(shop.db, shop.people, two)).rejects.toThrow();
    expect((await realNameOf(shop.db, shop.people, one))?.fullName?.reveal()).toBe('张三丰');
  });
});

describe('key rotation', () => {
  const [oldKey, newKey] = [
    { id: 'k1', key: randomBytes(32) },
    { id: 'k2', key: randomBytes(32) },
  ];
  const indexKey = randomBytes(32);
  const opened = (...keys: (typeof oldKey)[]): PeopleContext => openPeople({ keys, indexKey });

  test('a rotation of the master keys for personal data makes the old master key unnecessary, working in batches', async () => {
    const own = await openTestShop({ LOG_LEVEL: 'silent' });
    try {
      const data = RealNameImport.parse(realName);
      const accountIds = await Promise.all(Array.from({ length: 201 }, () => givenAccount(own.db)));
      for (const accountId of accountIds) {
        await importPerson(
          { db: own.db, people: opened(oldKey) },
          { accountId, data, by: 'operator' },
        );
      }
      const sealedBefore = await sealedNames(own);

      expect(await rotatePersonKeys(own.db, opened(newKey, oldKey))).toBe(201);
      expect(await rotatePersonKeys(own.db, opened(newKey, oldKey))).toBe(0);

      expect(await sealedNames(own)).toEqual(sealedBefore);
      for (const accountId of accountIds) {
        const person = await realNameOf(own.db, opened(newKey), accountId);
        expect(person?.fullName?.reveal()).toBe('张三丰');
        await expect(realNameOf(own.db, opened(oldKey), accountId)).rejects.toThrow('k2');
      }
      expect(
        await findPeople(own.db, opened(newKey), { ...wantedByPhone, by: 'operator' }),
      ).toHaveLength(201);
    } finally {
      await own.closeAll();
    }
  });

  test('personal data encrypted under the old and the new master key is readable during a rotation, and imports use the new one', async () => {
    const [one, two] = [await givenAccount(shop.db), await givenAccount(shop.db)];
    const data = RealNameImport.parse(realName);
    await importPerson(
      { db: shop.db, people: opened(oldKey) },
      { accountId: one, data, by: 'operator' },
    );
    await importPerson(
      { db: shop.db, people: opened(newKey, oldKey) },
      { accountId: two, data, by: 'operator' },
    );
    const both = opened(newKey, oldKey);
    expect((await realNameOf(shop.db, both, one))?.email?.reveal()).toBe('player@example.com');
    expect((await realNameOf(shop.db, both, two))?.email?.reveal()).toBe('player@example.com');
    await expect(realNameOf(shop.db, opened(oldKey), two)).rejects.toThrow('k2');
  });
});

const wantedByPhone = { phone: '+8613800138000', identityNumber: null };

describe('operator access to real-name data', () => {
  test('an operator finds an account by phone or identity number in any spelling, and each search is audited', async () => {
    const accountId = await givenAccount(shop.db);
    await givenPerson(shop, accountId, {
      phone: '+821012345678',
      identityNumber: '44010119990909888x',
    });
    const find = (wanted: { phone: string | null; identityNumber: string | null }) =>
      findPeople(shop.db, shop.people, { ...wanted, by: 'ines' });
    expect(await find({ phone: '+82 10-1234-5678', identityNumber: null })).toEqual([accountId]);
    expect(await find({ phone: null, identityNumber: '440101 19990909 888Ｘ' })).toEqual([
      accountId,
    ]);
    expect(await find({ phone: '+821012345679', identityNumber: null })).toEqual([]);
    expect(await find({ phone: null, identityNumber: '+821012345678' })).toEqual([]);
    expect(await find({ phone: null, identityNumber: null })).toEqual([]);
    const found = { action: 'found', by: 'ines' };
    expect(await auditsOf(accountId)).toMatchObject([{ action: 'imported' }, found, found]);
  });

  test('real-name data that an operator shreds can no longer be read or found, and shredding it again does nothing', async () => {
    const other = await givenBuyer(shop);
    const { accountId } = other;
    await givenPerson(shop, accountId, { phone: '+14155552671' });
    const shred = () => shop.db.transaction((tx) => shredPerson(tx, { accountId, by: 'ines' }));

    expect(await shred()).toBe(true);
    expect(await shred()).toBe(false);

    expect((await query(other)).data).toEqual(nothing);
    const wanted = { phone: '+14155552671', identityNumber: null, by: 'ines' };
    expect(await findPeople(shop.db, shop.people, wanted)).toEqual([]);
    const keys = await shop.db.many(
      z.object({ key_id: z.string() }),
      sql`select key_id from person_keys where account_id = ${accountId}`,
    );
    expect(keys).toEqual([]);
    expect(await auditsOf(accountId)).toMatchObject([
      { action: 'imported' },
      { action: 'shredded', by: 'ines' },
      { action: 'read' },
    ]);
  });

  test('real-name data imported after earlier data was shredded contains nothing of the earlier data', async () => {
    const other = await givenBuyer(shop);
    const { accountId } = other;
    await givenPerson(shop, accountId);
    await shop.db.transaction((tx) => shredPerson(tx, { accountId, by: 'ines' }));
    await givenPerson(shop, accountId, { email: null, fullName: 'Ann Lee' });
    expect((await query(other)).data).toMatchObject({ email: null, fullName: 'A*****e' });
  });
});

describe('a shop without person keys', () => {
  const keyless = openPeople({ keys: undefined, indexKey: undefined });

  test('a shop without master keys for personal data reports an error for an import or stored real-name data, instead of no data', async () => {
    const data = RealNameImport.parse(realName);
    const { accountId } = buyer;
    const person = { accountId, data, by: 'operator' };
    await expect(importPerson({ db: shop.db, people: keyless }, person)).rejects.toThrow(
      'PERSON_KEYS',
    );
    await expect(realNameOf(shop.db, keyless, accountId)).rejects.toThrow('PERSON_KEYS');
    expect(await realNameOf(shop.db, keyless, await givenAccount(shop.db))).toBeUndefined();
  });

  test('a configuration with only the master keys for personal data, or only the index key for real-name data, is refused', () => {
    const indexKey = randomBytes(32);
    const keys = [{ id: 'k1', key: indexKey }];
    expect(() => openPeople({ keys, indexKey: undefined })).toThrow('together');
    expect(() => openPeople({ keys: undefined, indexKey })).toThrow('together');
  });
});

test.each([
  ['a phone number without a country code', { phone: '13800138000' }],
  ['a nonexistent birthday', { birthday: '2026-02-30' }],
  ['a malformed mail address', { email: 'player' }],
  ['an empty name', { fullName: ' ' }],
  ['an unknown field', { nickname: 'Jo' }],
])('a real-name import with %s is refused', (_, changes) => {
  expect(RealNameImport.safeParse({ ...realName, ...changes }).success).toBe(false);
});

function rawChange(text: string): Promise<unknown> {
  return shop.db.transaction((tx) => rawExecutorOf(tx).executeSql(text));
}

/** Every row of every table, as text. */
async function dumpOf({ db }: TestShop): Promise<string> {
  const Table = z.object({ name: z.string() });
  const Row = z.object({ text: z.string() });
  const tables = await db.many(
    Table,
    sql`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const texts = await db.transaction(async (tx) => {
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await rawExecutorOf(tx).executeSql(`select t::text as text from ${name} t`);
      found.push(...rows.map((row) => Row.parse(row).text));
    }
    return found;
  });
  return texts.join('\n');
}

async function sealedNames({ db }: TestShop): Promise<string[]> {
  const rows = await db.many(
    z.object({ name: z.string() }),
    sql`select encode(full_name, 'hex') as name from people order by account_id`,
  );
  return rows.map(({ name }) => name);
}
