import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { addressOf } from '@pointgate/contract/endpoint.ts';
import { endpoints } from '@pointgate/contract/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../test/authorisation-rows.ts';
import { type AuthorisationWorld, openAuthorisationWorld } from '../../test/authorisation-world.ts';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import { cloneDatabase } from '../../test/database.ts';
import { startOwnPostgres } from '../../test/own-postgres.ts';
import { operateByProgram, type ShopProcess, startShopProcess } from '../../test/processes.ts';
import { callRaw, type RawReply } from '../../test/raw-call.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { postWebhook, sessionEvent, signed } from '../../test/webhooks.ts';
import { action as audit } from '../operators/audits/audit.action.ts';
import { runAction } from '../operators/operators.ts';
import { openRawExecutor } from '../platform/db.ts';

// PostgreSQL is really stopped: open connections break, and new ones are refused.

const ready = async (url: string) => await callRaw(`${url}/health/ready`);
const isReady = async (url: string) => (await ready(url)).status === 200;

function post(
  url: string,
  path: string,
  { cookie, body }: { cookie: string; body: object },
): Promise<RawReply> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
  return callRaw(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The outcome of a call: success, a refusal, or SystemBusy with a Retry-After. */
function outcomeOf({ status, headers, text }: RawReply): string {
  const { code } = JSON.parse(text) as { code: string | null }; // as: every answer is an envelope
  if (status === 503 && code === 'SystemBusy') {
    return Number(headers['retry-after']) > 0 ? 'busy' : 'busy without a time to wait';
  }
  return code === null && status === 200 ? 'success' : `${status} ${code}`;
}

let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(() => postgres?.stop());

describe('an outage of PostgreSQL', () => {
  let world: AuthorisationWorld;
  beforeAll(async () => {
    world = await openAuthorisationWorld({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
  });
  afterAll(() => world?.stop());

  test('an API call during a PostgreSQL outage succeeds or is answered with SystemBusy, and works afterwards', async () => {
    const { shop, owned, cookies } = world;
    const requests: { path: string; method: string; url: string; body: object }[] = [];
    for (const endpoint of endpoints) {
      const row = rows[endpoint.path];
      if (row === undefined) throw new Error(`${endpoint.path} has no row`);
      const body = await row.body(owned, shop);
      const url = shop.url + addressOf(endpoint, row.address?.(owned));
      requests.push({ path: endpoint.path, method: endpoint.method, url, body });
    }
    const askAll = async () => {
      const outcomes = new Map<string, string>();
      for (const { path, method, url, body } of requests) {
        const reply = await callRaw(url, {
          method,
          headers: {
            'content-type': 'application/json',
            'sec-fetch-site': 'same-origin',
            'x-forwarded-for': '203.0.113.9',
            cookie: cookies.owner,
          },
          ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
        });
        outcomes.set(path, outcomeOf(reply));
      }
      return outcomes;
    };

    await postgres.kill();
    const outcomes = await askAll();
    const page = await callRaw(`${shop.url}/config.json`);
    const stream = await callRaw(`${shop.url}/api/payment/order/changes/${owned.openId}`, {
      headers: { cookie: cookies.owner },
    });
    const reference = { accountId: randomUUID(), paymentId: randomUUID(), attemptId: randomUUID() };
    const told = await postWebhook(shop, signed(sessionEvent('cs_1', reference)));
    await postgres.start();

    const others = [...outcomes].filter(([, outcome]) => !['busy', 'success'].includes(outcome));
    expect(others).toEqual([]);
    const busy = [...outcomes.values()].filter((outcome) => outcome === 'busy');
    expect(busy.length).toBeGreaterThan(endpoints.length / 2);
    expect([200, 503]).toContain(page.status);
    expect(outcomeOf(stream)).toBe('busy');
    expect(told).toBe(503);

    await eventually(() => isReady(shop.url));
    const again = [...(await askAll()).values()];
    expect(again).not.toContain('busy');
    expect(again.filter((outcome) => outcome.startsWith('500'))).toEqual([]);
  });

  test('an operator command ends with one sentence of explanation when the database cannot be reached', async () => {
    await postgres.kill();
    const end = await operateByProgram(world.shop, ['audit', '--by', 'ines'], {
      environment: { LOG_LEVEL: 'silent' },
    });
    await postgres.start();
    expect(end).toEqual({
      status: 2,
      out: '',
      complaint: "The shop's database cannot be reached. Is DATABASE_URL right?\n",
    });
  });

  test("an audit of the books that finds the shop's database unreachable still prints its result and ends with an explanation", async () => {
    const replica = await cloneDatabase();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const args = ['--by', 'ines', '--database', replica.url];
    const terminal = { args, stdin: Readable.from([]), stdout, stderr };
    await postgres.kill();
    await expect(runAction(world.shop, { action: audit }, terminal)).rejects.toThrow(
      "It could not be kept: the shop's database cannot be reached.",
    );
    await postgres.start();
    stdout.end();
    expect(await text(stdout)).toContain('I1');
    await replica.drop();
  });
});

describe('an outage of PostgreSQL under load', () => {
  let whole: TestShop;
  let api: ShopProcess;
  let worker: ShopProcess;
  let shop: TestShop;
  let buyer: Buyer;
  beforeAll(async () => {
    whole = await openTestShop({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
    [api, worker] = await Promise.all([
      startShopProcess(whole, 'api', { UNPAID_ORDERS_MAX: '100000', GAME_CALLS_MAX: '100000' }),
      startShopProcess(whole, 'worker', { HEALTH_PORT: '0' }),
    ]);
    shop = { ...whole, url: api.url };
    buyer = await givenBuyer(shop);
    await shop.stripe.tell('/__sandbox/webhooks', { url: `${api.url}/webhooks/stripe` });
  });
  afterAll(async () => {
    await api?.stop();
    await worker?.stop();
    await whole?.closeAll();
  });

  test('in a PostgreSQL outage the API answers SystemBusy, API and worker report not ready, and both recover', async () => {
    const { cookie, body, gameAccountId: userId } = buyer;
    const outcomes = new Map<string, number>();
    let isOver = false;
    const callOn = async (call: () => Promise<RawReply>) => {
      while (!isOver) {
        const outcome = outcomeOf(await call());
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    const order = () => ({ cookie, body: { ...body, clientOrderId: randomUUID() } });
    const calling = Promise.all([
      ...Array.from({ length: 4 }, () =>
        callOn(() => post(api.url, '/api/payment/order/create', order())),
      ),
      ...Array.from({ length: 4 }, () =>
        callOn(() => post(api.url, '/api/epoint/overage', { cookie, body: { userId } })),
      ),
    ]);
    const countOf = (outcome: string) => outcomes.get(outcome) ?? 0;
    const more = async (outcome: string) => {
      const before = countOf(outcome);
      await eventually(async () => countOf(outcome) > before + 20);
    };

    await more('success');
    const admin = openRawExecutor({
      url: postgres.url,
      applicationName: 'test',
      connectionsMax: 1,
    });
    for (let times = 0; times < 5; times += 1) {
      await admin.executeSql(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and application_name like 'pointgate-%'`);
    }
    await admin.close();
    await more('success');

    await postgres.kill();
    await more('busy');
    for (const url of [api.url, worker.healthUrl]) {
      const said = await ready(url);
      expect([said.status, said.json()]).toMatchObject([
        503,
        { isReady: false, database: 'does not answer' },
      ]);
      expect((await callRaw(`${url}/health/live`)).status).toBe(200);
    }

    await postgres.start();
    for (const url of [api.url, worker.healthUrl]) await eventually(() => isReady(url));
    await more('success');
    isOver = true;
    await calling;
    expect([...outcomes.keys()].toSorted()).toEqual(['busy', 'success']);
    for (const { code } of api.lines()) expect(code).not.toBe('InternalError');

    const paid = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, paid));
    await untilShown(shop, buyer, paid, 'Fulfilled');
    await Promise.all([api.stop(), worker.stop()]);
    await Promise.all([api.finished(), worker.finished()]);
  });
});
