import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { collectorAt, givenSite, tell } from '../../test/analytics-db.ts';
import { givenMonth } from '../../test/old-month.ts';
import { openScratch, type Scratch } from '../../test/scratch.ts';
import { sql } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { log } from '../platform/log.ts';
import { countRecentFunnels, keepAnalyticsDays } from './analytics.jobs.ts';
import { countFunnel } from './analytics.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
  for (const id of ['solmere', 'other']) await givenSite(scratch.db, id);
  for (const month of ['2026-01', '2026-02', '2026-03']) await givenMonth(scratch, month);
});
afterAll(() => scratch.close());

const hour = 3_600_000;
const day = 24 * hour;
/** Each test uses a new day without events. */
let begins = Date.UTC(2026, 0, 1);
function nextDay() {
  begins += 10 * day;
  return { begins, name: new Date(begins).toISOString().slice(0, 10) };
}

const load = { n: 'web_payment_page_load', p: { loading_request_time: 1, loading_time: 2 } };
const login = {
  n: 'web_payment_login_result',
  p: { page: '/login', type: 'MOBILE_AUTH', region: '', result: 'success' },
};
const failedLogin = { ...login, p: { ...login.p, result: 'InvalidPassword' } };
const topUp = { p: { page: '/main/recharge', page_duration: 3_000 } };
const elsewhere = { p: { page: '/main/home', page_duration: 3_000 } };

async function givenOrder(
  at: number,
  {
    siteId = 'solmere',
    paidAt,
    arrivedAt,
  }: { siteId?: string; paidAt?: number; arrivedAt?: number } = {},
): Promise<{ accountId: string; paymentId: string }> {
  const key = { accountId: randomUUID(), paymentId: newId(at) };
  const state = arrivedAt ? 'arrived' : paidAt ? 'paid' : 'created';
  const time = (moment: number | undefined) => (moment === undefined ? null : new Date(moment));
  await scratch.db.transaction((tx) =>
    tx.run(sql`
      insert into orders (account_id, payment_id, site_id, game_id, server_id, role_id,
        game_account_id, item_id, pack_count, order_type, method, system, currency, amount_minor,
        snapshot, expire_at, created_at, state, paid_at, arrived_at)
      values (${key.accountId}, ${key.paymentId}, ${siteId}, 'g', 's1', 'r1', 'ga', 'i', 1, 'foreign',
        'card', 'ios', 'USD', 99, '{}', now(), ${new Date(at)}, ${state}, ${time(paidAt)},
        ${time(arrivedAt)})`),
  );
  return key;
}

const funnelOf = async (name: string, { siteId = 'solmere', nowMs = begins + 12 * hour } = {}) =>
  await countFunnel(collectorAt(scratch.db, nowMs), { siteId, day: name });

const nobody = { arrivals: 0, logins: 0, topUps: 0, created: 0, paid: 0, fulfilled: 0 };

test('the analytics funnel of a day has the numbers that were counted by hand', async () => {
  const { begins: first, name } = nextDay();
  const noon = collectorAt(scratch.db, first + 12 * hour);
  const [pia, quy, rui] = [randomUUID(), randomUUID(), randomUUID()];
  // Pia opens the portal and signs in twice and visits the top-up page; Quy fails to sign in; Rui
  // only visits.
  await tell(noon, [load, login, topUp, elsewhere], { did: pia });
  await tell(noon, [load, failedLogin, login, topUp, topUp], { did: pia });
  await tell(noon, [load, failedLogin, elsewhere], { did: quy });
  await tell(noon, [load, topUp], { did: rui });
  // Events on another site and on other days.
  await tell(noon, [load, login], { siteId: 'other' });
  await tell(noon, [load, login, topUp], { at: first - 1_000 });
  await tell(collectorAt(scratch.db, first + day), [load, login, topUp]);

  await givenOrder(first);
  await givenOrder(first + hour, { paidAt: first + 2 * hour });
  await givenOrder(first + day - 1, { paidAt: first + day + hour, arrivedAt: first + 2 * day });
  await givenOrder(first + day, { paidAt: first + day + 1 });
  await givenOrder(first - 1, { paidAt: first + hour, arrivedAt: first + hour });
  await givenOrder(first + hour, { siteId: 'other' });

  const counted = { arrivals: 3, logins: 1, topUps: 2, created: 3, paid: 2, fulfilled: 1 };
  expect(await funnelOf(name)).toEqual(counted);
  expect(await funnelOf(name, { siteId: 'other' })).toEqual({
    ...nobody,
    arrivals: 1,
    logins: 1,
    created: 1,
  });
  // Repeated and concurrent counts have the same result.
  const again = await Promise.all([1, 2, 3].map(() => funnelOf(name)));
  for (const funnel of again) expect(funnel).toEqual(counted);
});

test('a late event or payment is counted in the analytics funnel of the day it belongs to', async () => {
  const { begins: first, name } = nextDay();
  await tell(collectorAt(scratch.db, first + day), [load], { at: first + 1_000 });
  expect(await funnelOf(name)).toEqual({ ...nobody, arrivals: 1 });
  const key = await givenOrder(first + hour);
  expect(await funnelOf(name)).toEqual({ ...nobody, arrivals: 1, created: 1 });
  await scratch.db.transaction((tx) =>
    tx.run(sql`
      update orders set state = 'paid', paid_at = ${new Date(first + 3 * day)}
      where payment_id = ${key.paymentId}`),
  );
  expect(await funnelOf(name)).toEqual({ ...nobody, arrivals: 1, created: 1, paid: 1 });
});

test('the job that counts the analytics funnel covers today and the two days before', async () => {
  const { begins: first, name } = nextDay();
  await tell(collectorAt(scratch.db, first + hour), [load]);
  const countedOn = async () =>
    (
      await scratch.db.many(
        z.object({ day: z.string(), arrivals: z.int() }),
        sql`select day::text, arrivals from analytics.funnel_days
            where site_id = 'solmere' and counted_at >= ${new Date(first)} order by day`,
      )
    ).map((row) => `${row.day} ${row.arrivals}`);
  await countRecentFunnels(collectorAt(scratch.db, first + 2 * day + hour));
  const days = [0, 1, 2].map((ahead) => new Date(first + ahead * day).toISOString().slice(0, 10));
  expect(await countedOn()).toEqual([`${name} 1`, `${days[1]} 0`, `${days[2]} 0`]);
});

test('the analytics funnel of a day keeps its counts after its events are deleted', async () => {
  const { begins: first, name } = nextDay();
  const collector = collectorAt(scratch.db, first + hour);
  await keepAnalyticsDays(collector);
  await tell(collector, [load, login, topUp]);
  const counted = { ...nobody, arrivals: 1, logins: 1, topUps: 1 };
  expect(await funnelOf(name)).toEqual(counted);
  await keepAnalyticsDays(collectorAt(scratch.db, first + 9 * day, { days: 3 }));
  await givenOrder(first + hour);
  expect(await funnelOf(name)).toEqual({ ...counted, created: 1 });
});

test('the analytics funnel of a day without events has zeros in every step, and a request for an unknown site returns no funnel', async () => {
  const { name } = nextDay();
  expect(await funnelOf(name)).toEqual(nobody);
  expect(await funnelOf(name, { siteId: 'nobody' })).toBeUndefined();
});
