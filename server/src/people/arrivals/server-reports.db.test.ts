import { createHmac } from 'node:crypto';
import { reportServers } from '@pointgate/contract/server-reports.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { operate } from '../../../test/operate.ts';
import { callRaw } from '../../../test/raw-call.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { openSigningTimes } from '../../../test/signing-times.ts';
import { openCatalogue } from '../../catalogue/catalogue.ts';
import { sql } from '../../platform/db.ts';

const gameId = 'solmere';
const secrets = { [gameId]: ['todays-secret', 'tomorrows-secret'], elsewhere: ['their-secret'] };

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ GAME_SECRETS: JSON.stringify(secrets) }, { ownUsers: true });
});
beforeEach(() => shop.db.transaction((tx) => tx.run(sql`delete from server_states`)));
afterAll(() => shop.closeAll());

const freshT = openSigningTimes();
const until = '2099-12-01T06:00:00+01:00';
const s7 = (status: string, more: object = {}) => ({ serverId: 's7', status, ...more });
const bodyOf = (...servers: object[]) => JSON.stringify({ gameId, servers });

/** Reports as a game's back end does. */
async function report(
  body: string,
  { secret = 'todays-secret', t = freshT(), signature = '' } = {},
) {
  const digest = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const { status, json } = await callRaw(shop.url + reportServers.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'pointgate-signature': signature || `t=${t},v1=${digest}`,
    },
    body,
  });
  return { status, said: reportServers.reply.parse(json()) };
}

const kept = { status: 200, said: { result: 'ok', unknownServers: [] } };
const unauthorized = { status: 401, said: { result: 'unauthorized' } };
const malformed = { status: 400, said: { result: 'malformed' } };

/** Fresh from the database, and not from what a process keeps. */
const serverNow = (now?: () => number) =>
  openCatalogue(shop.db, undefined, now).server({ gameId, serverId: 's7' });

const changes = async () => {
  const { count } = await shop.db.one(
    z.object({ count: z.bigint() }),
    sql`select count(*) as count from server_status_changes where by = 'game:solmere'`,
  );
  return count;
};

const versionOf = async (topic: string) => {
  const { version } = await shop.db.one(
    z.object({ version: z.bigint() }),
    sql`select version from content_versions where topic = ${topic}`,
  );
  return version;
};

const tell = (command: string, ...more: string[]) =>
  operate(shop, [command, gameId, 's7', '--by', 'ana', '--reason', 'patch', ...more]);

describe('reports of games about their servers', () => {
  test.each(secrets[gameId] ?? [])(
    'a report signed with %s changes the status of a server',
    async (secret) => {
      expect(await report(bodyOf(s7('maintenance', { until })), { secret })).toEqual(kept);
      expect(await serverNow()).toMatchObject({ status: 1, maintenanceUntil: new Date(until) });
      await report(bodyOf(s7('open')), { secret });
      expect(await serverNow()).toMatchObject({ status: 0, maintenanceUntil: null });
    },
  );

  test('a report reaches every process within seconds without a new reading of the catalogue', async () => {
    const seen = () => shop.workerShop.catalogue.server({ gameId, serverId: 's7' });
    const catalogue = await versionOf('catalogue');
    await report(bodyOf(s7('maintenance')));
    await eventually(async () => (await seen())?.status === 1);
    await report(bodyOf(s7('open')));
    await eventually(async () => (await seen())?.status === 0);
    expect(await versionOf('catalogue')).toBe(catalogue);
  });

  test('a report of what is known already writes nothing', async () => {
    await report(bodyOf(s7('maintenance', { until })));
    const before = [await changes(), await versionOf('servers')];
    expect(await report(bodyOf(s7('maintenance', { until })))).toEqual(kept);
    expect([await changes(), await versionOf('servers')]).toEqual(before);
    await report(bodyOf(s7('maintenance')));
    expect(await changes()).toBe((before[0] ?? 0n) + 1n);
  });

  test('a report that was sent twice at once is taken once', async () => {
    const body = bodyOf(s7('maintenance'));
    const t = freshT();
    const before = await changes();
    const replies = await Promise.all([report(body, { t }), report(body, { t })]);
    expect(replies).toEqual(expect.arrayContaining([kept, unauthorized]));
    expect(await changes()).toBe(before + 1n);
  });

  test('two different reports at once leave one status and a history that ends with it', async () => {
    const bodies = [bodyOf(s7('maintenance')), bodyOf(s7('maintenance', { until }))];
    const t = freshT();
    expect(await Promise.all(bodies.map((body) => report(body, { t })))).toEqual([kept, kept]);
    expect(await serverNow()).toMatchObject({ status: 1 });
  });

  test('a report that was signed before the last change changes nothing', async () => {
    const [older, newer] = [freshT(), freshT()];
    await report(bodyOf(s7('maintenance', { until })), { t: newer });
    expect(await report(bodyOf(s7('open')), { t: older })).toEqual(kept);
    expect(await serverNow()).toMatchObject({ status: 1 });
  });

  test('a report names the servers that the shop does not have, and changes the others', async () => {
    const { said } = await report(bodyOf(s7('maintenance'), { serverId: 's99', status: 'open' }));
    expect(said).toEqual({ result: 'ok', unknownServers: ['s99'] });
    expect(await serverNow()).toMatchObject({ status: 1 });
  });

  test('the word of an operator counts before the report of the game until it is withdrawn', async () => {
    await report(bodyOf(s7('maintenance', { until })));
    expect(await tell('server-open')).toMatchObject({ status: 0 });
    expect(await serverNow()).toMatchObject({ status: 0 });
    const { out } = await tell('server-follow');
    expect(JSON.parse(out)).toMatchObject({
      status: 'maintenance',
      until: new Date(until).toISOString(),
      toldBy: 'game',
    });
    expect(await serverNow()).toMatchObject({ status: 1 });
  });

  test("a maintenance by an operator ends by itself in every process, by the process's own clock", async () => {
    const { out } = await tell('server-maintenance', '--until', '2099-12-01T06:00+01:00');
    const end = new Date('2099-12-01T05:00:00Z');
    expect(JSON.parse(out)).toMatchObject({ status: 'maintenance', until: end.toISOString() });
    expect(await serverNow(() => end.getTime() - 1)).toMatchObject({
      status: 1,
      maintenanceUntil: end,
    });
    expect(await serverNow(() => end.getTime())).toMatchObject({
      status: 0,
      maintenanceUntil: null,
    });
  });

  test.each([
    ['2020-01-01T00:00Z', '--until 2020-01-01T00:00:00.000Z is over\n'],
    ['tomorrow', /--until tomorrow is no time with its zone/],
    ['2099-12-01T06:00', /--until 2099-12-01T06:00 is no time with its zone/],
  ])('an operator cannot put a server into maintenance until %s', async (time, complaint) => {
    const refused = await tell('server-maintenance', '--until', time);
    expect(refused.status).not.toBe(0);
    expect(refused.complaint).toMatch(complaint);
    expect(await serverNow()).toMatchObject({ status: 0 });
  });
});

describe('hostile reports about game servers', () => {
  const closing = () => bodyOf(s7('maintenance'));

  test('a report that another game signed, that is old or that has no signature is refused and changes nothing', async () => {
    expect(await report(closing(), { secret: 'their-secret' })).toEqual(unauthorized);
    expect(await report(closing(), { t: freshT() - 400 })).toEqual(unauthorized);
    expect(await report(closing(), { signature: 't=1,v1=00' })).toEqual(unauthorized);
    expect(await serverNow()).toMatchObject({ status: 0 });
  });

  test('a game cannot report servers of another game', async () => {
    const body = JSON.stringify({ gameId: 'elsewhere', servers: [s7('maintenance')] });
    expect((await report(body, { secret: 'their-secret' })).said).toEqual({
      result: 'refused',
      reason: 'game_not_found',
    });
    expect(await serverNow()).toMatchObject({ status: 0 });
  });

  test.each([
    ['no servers', []],
    ['an unknown status', [s7('closed')]],
    ['a server twice', [s7('open'), s7('maintenance')]],
    ['an unknown field', [s7('open', { name: 'S7' })]],
    ['a time without a zone', [s7('maintenance', { until: '2099-12-01T06:00:00' })]],
    ['the year 0', [s7('maintenance', { until: '0000-01-01T00:00:00Z' })]],
    ['a time far away', [s7('maintenance', { until: '9999-12-31T00:00:00Z' })]],
    [
      '1001 servers',
      Array.from({ length: 1_001 }, (_, n) => ({ serverId: `x${n}`, status: 'open' })),
    ],
  ])('a report with %s is malformed and changes nothing', async (_what, servers) => {
    expect(await report(bodyOf(...servers))).toEqual(malformed);
    expect(await serverNow()).toMatchObject({ status: 0 });
  });

  test('a signed ticket request is not a report', async () => {
    const body = JSON.stringify({ gameId, gameAccountId: 'ga_1' });
    expect(await report(body)).toEqual(malformed);
  });
});
