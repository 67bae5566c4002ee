import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  appid,
  certificateSerial,
  givenOrder,
  h5Scene,
  mchid,
  publicKeyId,
  startWechatpay,
  type WechatpayProgram,
} from '../../test/wechatpay.ts';

let wechat: WechatpayProgram;
beforeAll(async () => {
  wechat = await startWechatpay();
});
beforeEach(async () => {
  await wechat.tell('/__sandbox/reset');
});
afterAll(async () => await wechat.stop());

const native = '/v3/pay/transactions/native';
const query = (no: string) => `/v3/pay/transactions/out-trade-no/${no}?mchid=${mchid}`;
const close = (no: string) => `/v3/pay/transactions/out-trade-no/${no}/close`;

describe('WeChat Pay orders', () => {
  test('the WeChat Pay sandbox answers a JSAPI order with a prepay id, an H5 order with a link, a Native one with a QR code', async () => {
    const jsapi = { ...givenOrder(), payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' } };
    expect(await wechat.sdk('POST', '/v3/pay/transactions/jsapi', jsapi)).toMatchObject({
      status: 200,
      body: { prepay_id: expect.stringMatching(/^wx\d{14}[0-9a-f]{20}$/) },
    });
    const h5 = { ...givenOrder(), scene_info: h5Scene };
    expect(await wechat.sdk('POST', '/v3/pay/transactions/h5', h5)).toMatchObject({
      status: 200,
      body: { h5_url: expect.stringContaining('/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx') },
    });
    expect(await wechat.sdk('POST', native, givenOrder())).toMatchObject({
      status: 200,
      body: { code_url: expect.stringMatching(/^weixin:\/\/wxpay\/bizpayurl\?pr=\w{9}$/) },
    });
  });

  test('the WeChat Pay sandbox answers a repeated order number with the same order, and an H5 order with a new link', async () => {
    const order = givenOrder();
    const first = await wechat.sdk('POST', native, order);
    expect((await wechat.sdk('POST', native, order)).body).toEqual(first.body);

    const h5 = { ...givenOrder(), scene_info: h5Scene };
    const links = [1, 2].map(() => wechat.sdk('POST', '/v3/pay/transactions/h5', h5));
    const [one, two] = (await Promise.all(links)).map(({ body }) => JSON.stringify(body));
    expect(one).not.toBe(two);
    const { sessions } = await wechat.records();
    expect(sessions.filter(({ id }) => id === h5.out_trade_no)).toHaveLength(1);
  });

  test('the WeChat Pay sandbox refuses a reused order number with another amount, description or attach', async () => {
    const order = givenOrder();
    await wechat.sdk('POST', native, order);
    for (const other of [
      { amount: { total: 601, currency: 'CNY' } },
      { description: '61 gems' },
      { attach: 'x' },
    ]) {
      expect(await wechat.sdk('POST', native, { ...order, ...other })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST' },
      });
    }
  });

  test('the WeChat Pay sandbox refuses a new order under the order number of a paid or closed order', async () => {
    const paid = givenOrder();
    await wechat.sdk('POST', native, paid);
    await wechat.tell(`/__sandbox/sessions/${paid.out_trade_no}/pay`);
    const closed = givenOrder();
    await wechat.sdk('POST', native, closed);
    await wechat.sdk('POST', close(closed.out_trade_no), { mchid });

    expect((await wechat.sdk('POST', native, paid)).body).toMatchObject({ code: 'ORDERPAID' });
    expect((await wechat.sdk('POST', native, closed)).body).toMatchObject({ code: 'ORDER_CLOSED' });
  });

  test.each<[string, object, string]>([
    ['the id of another merchant', { mchid: '1900000110' }, 'MCH_NOT_EXISTS'],
    ['the id of another application', { appid: 'wx0000000000000000' }, 'APPID_MCHID_NOT_MATCH'],
    ['an amount of zero', { amount: { total: 0, currency: 'CNY' } }, 'PARAM_ERROR'],
    ['a fractional amount', { amount: { total: 1.5, currency: 'CNY' } }, 'PARAM_ERROR'],
    ['a currency other than CNY', { amount: { total: 1, currency: 'USD' } }, 'PARAM_ERROR'],
    ['a too short order number', { out_trade_no: 'short' }, 'PARAM_ERROR'],
    ['a too long order number', { out_trade_no: 'x'.repeat(33) }, 'PARAM_ERROR'],
    ['a notify_url with a query', { notify_url: 'https://shop.test/hook?a=1' }, 'PARAM_ERROR'],
    ['a too long attach', { attach: 'x'.repeat(129) }, 'PARAM_ERROR'],
    ['a too long description', { description: 'x'.repeat(128) }, 'PARAM_ERROR'],
    ['an unknown field', { surprise: 1 }, 'PARAM_ERROR'],
    ['an expiry without a time zone', { time_expire: '2030-01-01T00:00:00' }, 'PARAM_ERROR'],
    ['an expiry in the past', { time_expire: '2020-01-01T00:00:00Z' }, 'INVALID_REQUEST'],
    ['an expiry in the far future', { time_expire: '2099-01-01T00:00:00Z' }, 'INVALID_REQUEST'],
  ])(
    'the WeChat Pay sandbox refuses an order with %s with the error code of WeChat Pay',
    async (_what, changes, code) => {
      const answer = await wechat.sdk('POST', native, givenOrder(changes));
      expect(answer).toMatchObject({ status: 400, body: { code, message: expect.any(String) } });
    },
  );

  test('the WeChat Pay sandbox refuses a JSAPI order without a payer and an H5 order without a scene', async () => {
    for (const path of ['/v3/pay/transactions/jsapi', '/v3/pay/transactions/h5']) {
      expect((await wechat.sdk('POST', path, givenOrder())).body).toMatchObject({
        code: 'PARAM_ERROR',
      });
    }
  });
});

describe('WeChat Pay request signatures', () => {
  test.each([
    ['another private key', { privateKey: strangersKey() }],
    ['another certificate serial', { serial: '0'.repeat(40) }],
    ['the id of another merchant', { mchid: '1900000110' }],
  ])(
    'the WeChat Pay sandbox refuses a request signed with %s with SIGN_ERROR',
    async (_what, changes) => {
      const answer = await wechat.sdkWith(changes)('POST', native, givenOrder());
      expect(answer).toMatchObject({ status: 401, body: { code: 'SIGN_ERROR' } });
    },
  );

  test.each([
    ['no authorization header', undefined],
    ['another authorization scheme', 'Bearer x'],
    ['an incomplete authorization header', `WECHATPAY2-SHA256-RSA2048 mchid="${mchid}"`],
    [
      'a timestamp more than five minutes old',
      header({ timestamp: Math.floor(Date.now() / 1000) - 310 }),
    ],
    [
      'a timestamp more than five minutes ahead',
      header({ timestamp: Math.floor(Date.now() / 1000) + 310 }),
    ],
    ['an empty nonce', header({ nonce: '' })],
  ])(
    'the WeChat Pay sandbox refuses a request with %s, and its refusal is unsigned',
    async (_what, authorization) => {
      const answer = await fetch(wechat.url + query('whatever'), {
        headers: {
          accept: 'application/json',
          'user-agent': 'test',
          ...(authorization === undefined ? {} : { authorization }),
        },
      });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: 'SIGN_ERROR' });
      expect(answer.headers.get('wechatpay-signature')).toBeNull();
    },
  );

  function header({ timestamp = Math.floor(Date.now() / 1000), nonce = 'n' }) {
    return (
      `WECHATPAY2-SHA256-RSA2048 mchid="${mchid}",` +
      'serial_no="5157F09EFDC096DE15EBE81A47057A7232F1B8E1",' +
      `timestamp="${timestamp}",nonce_str="${nonce}",signature="AAAA"`
    );
  }
});

describe('WeChat Pay answers', () => {
  test('the WeChat Pay sandbox signs with the key pair that the request names by id, or else with the one of its certificate', async () => {
    const order = givenOrder();
    expect(await wechat.sdk('POST', native, order)).toMatchObject({ serial: publicKeyId });
    const old = wechat.sdkWith({ headers: {} });
    expect(await old('GET', query(order.out_trade_no))).toMatchObject({
      status: 200,
      serial: certificateSerial,
    });
    await wechat.tell('/__sandbox/keys', { signWith: 'alternate' });
    const serials = [];
    for (const _turn of [1, 2]) {
      serials.push((await wechat.sdk('GET', query(order.out_trade_no))).serial);
    }
    expect(serials.sort()).toEqual([certificateSerial, publicKeyId].sort());
  });

  test('the WeChat Pay sandbox signs an answer that has an empty body', async () => {
    const order = givenOrder();
    await wechat.sdk('POST', native, order);
    expect(await wechat.sdk('POST', close(order.out_trade_no), { mchid })).toMatchObject({
      status: 204,
      serial: publicKeyId,
    });
  });

  test.each([
    ['bad_signature', 'EV3_RES_HEADER_SIGNATURE_DIGEST'],
    ['signtest', 'EV3_RES_HEADER_SIGNATURE_DIGEST'],
    ['stale_signature', 'EV3_RES_HEADER_TIMESTAMP_OFFSET'],
    ['future_signature', 'EV3_RES_HEADER_TIMESTAMP_OFFSET'],
    ['unknown_serial', 'EV3_RES_HEADER_PLATFORM_SERIAL'],
    ['unsigned', 'EV3_RES_HEADERS_INCOMPLATE'],
    ['truncated', 'EV3_RES_HEADER_SIGNATURE_DIGEST'],
    ['html_200', 'EV3_RES_HEADERS_INCOMPLATE'],
  ])(
    'the WeChat Pay SDK rejects a sandbox answer with the planned fault %s although the sandbox made the order',
    async (kind, code) => {
      const order = givenOrder();
      await wechat.tell('/__sandbox/faults', { match: `POST ${native}`, kind });
      expect(await wechat.sdk('POST', native, order)).toMatchObject({ code });
      expect(await wechat.sdk('GET', query(order.out_trade_no))).toMatchObject({
        status: 200,
        body: { trade_state: 'NOTPAY' },
      });
    },
  );

  test.each([
    ['http500_before', 'no order', false],
    ['cut_before', 'no order', false],
    ['json404_without_error', 'no order', false],
    ['frequency_limited', 'no order', false],
    ['http500_after_commit', 'one order', true],
    ['cut_after_commit', 'one order', true],
  ])(
    'an order request that fails with the planned fault %s leaves %s in the WeChat Pay sandbox',
    async (kind, _left, isThere) => {
      const order = givenOrder();
      await wechat.tell('/__sandbox/faults', { match: `POST ${native}`, kind });
      await wechat.sdk('POST', native, order);
      const { status } = await wechat.sdk('GET', query(order.out_trade_no));
      expect(status).toBe(isThere ? 200 : 404);
    },
  );
});

describe('WeChat Pay order queries', () => {
  test('the WeChat Pay sandbox answers an order query NOTPAY before payment and SUCCESS after it, by either id', async () => {
    const order = givenOrder();
    await wechat.sdk('POST', native, order);
    const open = await wechat.sdk('GET', query(order.out_trade_no));
    expect(open.body).toMatchObject({ trade_state: 'NOTPAY', attach: order.attach });
    expect(open.body).not.toHaveProperty('transaction_id');

    await wechat.tell(`/__sandbox/sessions/${order.out_trade_no}/pay`);
    const paid = await wechat.sdk('GET', query(order.out_trade_no));
    expect(paid.body).toMatchObject({
      appid,
      mchid,
      out_trade_no: order.out_trade_no,
      attach: order.attach,
      transaction_id: expect.stringMatching(/^4200\d{24}$/),
      trade_type: 'NATIVE',
      trade_state: 'SUCCESS',
      success_time: expect.stringMatching(/\+08:00$/),
      amount: { total: 600, payer_total: 600, currency: 'CNY' },
    });
    const { transaction_id } = paid.body as { transaction_id: string }; // as: checked above
    const byId = `/v3/pay/transactions/id/${transaction_id}?mchid=${mchid}`;
    expect((await wechat.sdk('GET', byId)).body).toEqual(paid.body);
    expect((await wechat.sdk('POST', close(order.out_trade_no), { mchid })).body).toMatchObject({
      code: 'ORDERPAID',
    });
  });

  test('the WeChat Pay sandbox answers 404 to a query or close of an unknown order', async () => {
    for (const answer of [
      await wechat.sdk('GET', query('nothing-is-known')),
      await wechat.sdk('POST', close('nothing-is-known'), { mchid }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_EXIST' } });
    }
  });

  test('the WeChat Pay sandbox refuses an order query with the id of another merchant', async () => {
    const order = givenOrder();
    await wechat.sdk('POST', native, order);
    const path = `/v3/pay/transactions/out-trade-no/${order.out_trade_no}?mchid=1`;
    expect((await wechat.sdk('GET', path)).body).toMatchObject({ code: 'MCH_NOT_EXISTS' });
  });
});

function strangersKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}
