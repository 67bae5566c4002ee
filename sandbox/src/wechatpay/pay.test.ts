import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  givenOrder,
  h5Scene,
  jsapiParams,
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

const back = 'http://127.0.0.1:9/back?order=1';

test('the WeChat Pay sandbox H5 cashier shows the order, takes the payment and redirects to the shop', async () => {
  const { link, outTradeNo } = await givenH5();
  const page = await see(`${link}&redirect_url=${encodeURIComponent(back)}`);
  expect(page.text).toContain('60 gems');
  expect(page.text).toContain('¥6.00');

  const paid = await press(page.text, 'pay');
  expect(paid.status).toBe(303);
  expect(paid.headers.get('location')).toBe(back);
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');
});

test('a cancelled H5 payment in the WeChat Pay sandbox returns to the shop unpaid and can be paid later', async () => {
  const { link, outTradeNo } = await givenH5();
  const address = `${link}&redirect_url=${encodeURIComponent(back)}`;
  const left = await press((await see(address)).text, 'leave');
  expect(left.headers.get('location')).toBe(back);
  expect(await stateOf(outTradeNo)).toBe('NOTPAY');
  await press((await see(address)).text, 'pay');
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');
});

test('the WeChat Pay sandbox cashier leaves a redirect_url with the javascript scheme out of its page', async () => {
  const { link } = await givenH5();
  const { text } = await see(`${link}&redirect_url=javascript:alert(1)`);
  expect(text).not.toContain('javascript');
});

test('a payment that the WeChat Pay sandbox declines leaves the order unpaid and can be retried', async () => {
  const { link, outTradeNo } = await givenH5();
  const declined = await press((await see(link)).text, 'decline');
  const text = await declined.text();
  expect(text).toContain('Your payment was declined');
  expect(await stateOf(outTradeNo)).toBe('NOTPAY');
  await press(text, 'pay');
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');
});

test('an H5 link of the WeChat Pay sandbox expires after five minutes, and the order then gets a new link', async () => {
  const { link, order } = await givenH5();
  await wechat.tell('/__sandbox/clock', { advanceSeconds: 301 });
  expect((await see(link)).status).toBe(404);

  const again = await openH5(order);
  expect((await see(again)).status).toBe(200);
});

test('the WeChat Pay sandbox scan page opens the order of a QR code, and answers 404 to an unknown code', async () => {
  const order = givenOrder();
  const { body } = await wechat.sdk('POST', '/v3/pay/transactions/native', order);
  const { code_url } = body as { code_url: string }; // as: checked below
  const { text } = await see(`${wechat.url}/scan?code=${encodeURIComponent(code_url)}`);
  expect(text).toContain('¥6.00');
  await press(text, 'pay-and-stay');
  expect(await stateOf(order.out_trade_no)).toBe('SUCCESS');

  expect((await see(`${wechat.url}/scan`)).text).toContain('Scan a payment code');
  expect((await see(`${wechat.url}/scan?code=weixin://nothing`)).status).toBe(404);
});

test('an expired WeChat Pay sandbox order can be paid on a page opened before expiry, or by the control API', async () => {
  const early = await givenH5();
  const { text } = await see(early.link);
  await wechat.tell('/__sandbox/clock', { advanceSeconds: 3600 });
  await press(text, 'pay');
  expect(await stateOf(early.outTradeNo)).toBe('SUCCESS');

  await wechat.tell('/__sandbox/reset');
  const late = await givenH5();
  await wechat.tell('/__sandbox/clock', { advanceSeconds: 3600 });
  const pay = `/__sandbox/sessions/${late.outTradeNo}/pay`;
  await expect(wechat.tell(pay)).rejects.toThrow('expired');
  await wechat.tell(pay, { late: true });
  expect(await stateOf(late.outTradeNo)).toBe('SUCCESS');
});

test('a closed WeChat Pay sandbox order can be paid neither on its open page nor by the control API', async () => {
  const { link, outTradeNo } = await givenH5();
  const { text } = await see(link);
  const { mchid } = givenOrder();
  const close = `/v3/pay/transactions/out-trade-no/${outTradeNo}/close`;
  await wechat.sdk('POST', close, { mchid });

  expect((await press(text, 'pay')).status).toBe(410);
  await expect(
    wechat.tell(`/__sandbox/sessions/${outTradeNo}/pay`, { late: true }),
  ).rejects.toThrow('closed');
  expect(await stateOf(outTradeNo)).toBe('CLOSED');
});

test('the JSAPI bridge of the WeChat Pay sandbox starts a payment only with parameters that the merchant signed', async () => {
  const { outTradeNo, prepayId } = await givenJsapi();
  const say = (params: object, outcome = 'ok') =>
    wechat.tell('/__sandbox/jsapi', { params, outcome });

  expect(await say(jsapiParams(prepayId, { nonceStr: 'other' }))).toMatchObject({
    err_msg: 'get_brand_wcpay_request:fail',
    why: 'bad_signature',
  });
  expect(await say(jsapiParams('wx_unknown'))).toMatchObject({ why: 'unknown' });
  expect(await say(jsapiParams(prepayId), 'cancel')).toEqual({
    err_msg: 'get_brand_wcpay_request:cancel',
  });
  expect(await stateOf(outTradeNo)).toBe('NOTPAY');
  expect(await say(jsapiParams(prepayId))).toEqual({ err_msg: 'get_brand_wcpay_request:ok' });
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');
});

test('the JSAPI bridge window of the WeChat Pay sandbox shows the cashier and reports ok, cancel or fail', async () => {
  const { outTradeNo, prepayId } = await givenJsapi();
  const query = new URLSearchParams(jsapiParams(prepayId));
  const { text } = await see(`${wechat.url}/jsapi?${query}`);
  const left = await (await press(text, 'leave')).text();
  expect(left).toContain('data-result="cancel"');
  const paid = await (await press(text, 'pay')).text();
  expect(paid).toContain('data-result="ok"');
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');

  const forged = new URLSearchParams(jsapiParams(prepayId, { package: 'prepay_id=wx1' }));
  expect((await see(`${wechat.url}/jsapi?${forged}`)).text).toContain('data-result="fail"');
  const script = await fetch(`${wechat.url}/__sandbox/weixin-bridge.js`);
  expect(await script.text()).toContain('WeixinJSBridge');
});

test('the WeChat Pay sandbox overview page lists orders and links a Native order to its cashier', async () => {
  const { order } = await givenH5();
  const native = givenOrder();
  await wechat.sdk('POST', '/v3/pay/transactions/native', native);
  const { text } = await see(`${wechat.url}/__sandbox`);
  expect(text).toContain(order.out_trade_no);
  const scan = /href="(\/scan\?code=[^"]+)"/.exec(text)?.[1] ?? '';
  expect((await see(wechat.url + scan.replaceAll('&amp;', '&'))).status).toBe(200);
});

async function givenH5() {
  const order = { ...givenOrder(), scene_info: h5Scene };
  return { order, outTradeNo: order.out_trade_no, link: await openH5(order) };
}

async function openH5(order: object): Promise<string> {
  const { body } = await wechat.sdk('POST', '/v3/pay/transactions/h5', order);
  return (body as { h5_url: string }).h5_url; // as: fetch fails on a missing link
}

async function givenJsapi() {
  const order = { ...givenOrder(), payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' } };
  const { body } = await wechat.sdk('POST', '/v3/pay/transactions/jsapi', order);
  const { prepay_id } = body as { prepay_id: string }; // as: a missing id cannot be paid
  return { outTradeNo: order.out_trade_no, prepayId: prepay_id };
}

async function see(address: string) {
  const answer = await fetch(address);
  return { status: answer.status, text: await answer.text() };
}

/** Submits a form of the page, as a browser without scripts does. */
async function press(page: string, button: string): Promise<Response> {
  const action = new RegExp(`action="(/cashier/\\w+/${button}\\?[^"]*)"`).exec(page)?.[1];
  if (action === undefined) throw new Error(`the page has no button ${button}`);
  return await fetch(wechat.url + action.replaceAll('&amp;', '&'), {
    method: 'POST',
    redirect: 'manual',
  });
}

async function stateOf(outTradeNo: string): Promise<string | undefined> {
  return (await wechat.records()).sessions.find(({ id }) => id === outTradeNo)?.state;
}
