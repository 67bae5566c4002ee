import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ShopProcess, startShopProcess } from '../../test/processes.ts';
import {
  eventually,
  givenOrderBody,
  givenPlayer,
  openTestShop,
  seal,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../test/shop.ts';
import { rawExecutorOf } from './db.ts';

let shop: TestShop;
let api: ShopProcess;
/** The shop, called through the process whose log is tested. */
let logged: TestShop;
let player: TestPlayer;
let cookie: string;
beforeAll(async () => {
  shop = await openTestShop();
  api = await startShopProcess(shop, 'api');
  logged = { ...shop, url: api.url };
  player = await givenPlayer(shop);
  cookie = await signIn(logged, player);
});
afterAll(async () => {
  await api.stop();
  await shop.closeAll();
});

const lineOf = (requestId: string) =>
  eventually(async () =>
    api.lines().find((line) => line.msg === 'request' && line.requestId === requestId),
  );

describe('request log lines', () => {
  test('a request log line has the method, path, status and request id of the call', async () => {
    const { requestId } = await send(logged, '/api/time?lng=de', { method: 'GET' });
    expect(await lineOf(requestId)).toEqual({
      level: 'info',
      time: expect.any(Number),
      requestId,
      method: 'GET',
      path: '/api/time',
      status: 200,
      code: null,
      ms: expect.any(Number),
      source: '127.0.0.0/24',
      msg: 'request',
    });
  });

  test('a request log line has the account and the code of a refused call', async () => {
    const body = { paymentId: '018f0000-0000-7000-8000-000000000000' };
    const { requestId } = await send(logged, '/api/payment/order/detail', { cookie, body });
    expect(await lineOf(requestId)).toMatchObject({
      accountId: player.accountId,
      paymentId: body.paymentId,
      status: 200,
      code: 'PaymentIdWrong',
    });
  });

  test('a request log line has the payment id of a created order', async () => {
    const body = await givenOrderBody(logged, cookie);
    const created = await send(logged, '/api/payment/order/create', { cookie, body });
    const { paymentId } = z.object({ paymentId: z.uuid() }).parse(created.data);
    expect(await lineOf(created.requestId)).toMatchObject({
      accountId: player.accountId,
      paymentId,
      code: null,
    });
  });
});

test('a lost database connection is logged with its cause and without the connection object', async () => {
  const idle = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'pointgate-api' and state = 'idle'`;
  await shop.db.transaction((tx) => rawExecutorOf(tx).executeSql(idle));
  const line = await eventually(async () =>
    api.lines().find(({ msg }) => msg === 'a database connection was lost'),
  );
  expect(line).toMatchObject({ level: 'warn', cause: expect.stringContaining('terminating') });
  expect(line).not.toHaveProperty('err');
  expect(api.output()).not.toMatch(/secretKey|connectionParameters/);
  // The api may get other dead connections from the pool first.
  await eventually(async () => (await send(logged, '/api/user/info', { cookie })).isSuccess);
});

test('no log line contains a password, a cookie, a token or an encrypted body', async () => {
  const password = 'Wrong-password-1';
  const data = await seal(logged, '/api/user/login', {
    method: 'LOGIN_NAME_PASSWD_AUTH',
    loginName: player.loginName,
    password,
  });
  await send(logged, '/api/user/login', { body: { data } });
  await send(logged, '/api/user/info', { cookie, headers: { authorization: 'Bearer abc-xyz' } });
  const last = await send(logged, '/api/user/login', { body: `{"data":"${password}` });
  await lineOf(last.requestId);

  const output = api.output();
  const [, token = ''] = cookie.split('=');
  const [, secret = ''] = token.split('.');
  expect(secret).toHaveLength(43);
  for (const hidden of [player.password, password, secret, data, 'abc-xyz', 'sk_test', 'whsec_']) {
    expect(output).not.toContain(hidden);
  }
  for (const { d } of shop.loginKeys) expect(output).not.toContain(d);
});
