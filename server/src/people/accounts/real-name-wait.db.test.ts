import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenMember, startClock, testBrowser } from '../../../test/codes.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import { openTestSignIns } from '../../../test/sign-in-attack.ts';
import { type Db, sql } from '../../platform/db.ts';
import { realNameWaitOf } from './accounts.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await cloneDatabase();
  db = database.open(4);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const clock = startClock();

async function signInByText(phone: string, network: string): Promise<string> {
  clock.pass({ hours: 25 });
  const { codes, outbox, attempt } = openTestSignIns(db, clock);
  await codes.send({
    purpose: 'phone_foreign',
    target: { kind: 'text', to: phone, country: 'US' },
    network,
    browser: testBrowser,
    proof: null,
    locale: 'en-US',
    siteTitle: 'Solmere',
  });
  await codes.settle();
  const code = outbox.codeFor(phone);
  return await attempt({ network }, { method: 'MOBILE_AUTH', phone, code });
}

test('real-name data is withheld after a sign-in by texted code from a new network, but not from a known network', async () => {
  const { phone, accountId } = await givenMember(db);
  const home = '192.0.2.0/24';
  expect(await signInByText(phone, home)).toBe(accountId);
  expect(await realNameWaitOf(db, accountId)).toBeDefined();

  await db.transaction((tx) =>
    tx.run(sql`update accounts set waits_until = now() where id = ${accountId}`),
  );
  expect(await signInByText(phone, home)).toBe(accountId);
  expect(await realNameWaitOf(db, accountId)).toBeUndefined();

  expect(await signInByText(phone, '198.51.100.0/24')).toBe(accountId);
  expect(await realNameWaitOf(db, accountId)).toBeDefined();
});

test('several sign-ins by texted code hide real-name data for one period that begins with the first and is extended by the next', async () => {
  const { phone, accountId } = await givenMember(db);
  await signInByText(phone, '192.0.2.0/24');
  const first = await realNameWaitOf(db, accountId);
  await signInByText(phone, '198.51.100.0/24');
  const second = await realNameWaitOf(db, accountId);
  expect(second?.since).toEqual(first?.since);
  expect(second?.until.getTime()).toBeGreaterThan(first?.until.getTime() ?? 0);
});
