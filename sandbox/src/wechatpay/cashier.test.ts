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

test('the H5 cashier shows the order, takes the money and goes back to the shop', async () => {
  const { link, outTradeNo } = await givenH5();
  const page = await see(`${link}&redirect_url=${encodeURIComponent(back)}`);
  expect(page.text).toContain('60 gems');
  expect(page.text).toContain('¥6.00');

  const paid = await press(page.text, 'pay');
  expect(paid.status).toBe(303);
  expect(paid.headers.get('location')).toBe(back);
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');
});

test('cancelling goes back without money, and the payer may come again', async () => {
  const { link, outTradeNo } = await givenH5();
  const address = `${link}&redirect_url=${encodeURIComponent(back)}`;
  const left = await press((await see(address)).text, 'leave');
  expect(left.headers.get('location')).toBe(back);
  expect(await stateOf(outTradeNo)).toBe('NOTPAY');
  await press((await see(address)).text, 'pay');
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');
});

test('a way back that is no address of the web is not followed', async () => {
  const { link } = await givenH5();
  const { text } = await see(`${link}&redirect_url=javascript:alert(1)`);
  expect(text).not.toContain('javascript');
});

test('a declined payment takes nothing and can be tried again', async () => {
  const { link, outTradeNo } = await givenH5();
  const declined = await press((await see(link)).text, 'decline');
  const text = await declined.text();
  expect(text).toContain('Your payment was declined');
  expect(await stateOf(outTradeNo)).toBe('NOTPAY');
  await press(text, 'pay');
  expect(await stateOf(outTradeNo)).toBe('SUCCESS');
});

test('an H5 link is good for five minutes; the same order again gives another', async () => {
  const { link, order } = await givenH5();
  await wechat.tell('/__sandbox/clock', { advanceSeconds: 301 });
  expect((await see(link)).status).toBe(404);

  const again = await openH5(order);
  expect((await see(again)).status).toBe(200);
});

test('a code is scanned from the link or by hand', async () => {
  const order = givenOrder();
  const { body } = await wechat.sdk('POST', '/v3/pay/transactions/native', order);
  const { code_url } = body as { code_url: string }; // as: looked at below
  const { text } = await see(`${wechat.url}/scan?code=${encodeURIComponent(code_url)}`);
  expect(text).toContain('¥6.00');
  await press(text, 'pay-and-stay');
  expect(await stateOf(order.out_trade_no)).toBe('SUCCESS');

  expect((await see(`${wechat.url}/scan`)).text).toContain('Scan a payment code');
  expect((await see(`${wechat.url}/scan?code=weixin://nothing`)).status).toBe(404);
});

test('who came in time may pay when it is over; who comes later may not', async () => {
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

test('an order that the shop has closed cannot be paid by anybody', async () => {
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

test('inside WeChat the bridge takes what the merchant signed, and nothing else', async () => {
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

test('a window of the bridge shows the cashier and says how it ended', async () => {
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

test('the overview leads to the cashier of every order', async () => {
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
  return (body as { h5_url: string }).h5_url; // as: a link that is not there is not followed
}

async function givenJsapi() {
  const order = { ...givenOrder(), payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' } };
  const { body } = await wechat.sdk('POST', '/v3/pay/transactions/jsapi', order);
  const { prepay_id } = body as { prepay_id: string }; // as: one that is not there pays nothing
  return { outTradeNo: order.out_trade_no, prepayId: prepay_id };
}

async function see(address: string) {
  const answer = await fetch(address);
  return { status: answer.status, text: await answer.text() };
}

/** Presses a button of a page, as a browser without scripts does. */
async function press(page: string, button: string): Promise<Response> {
  const action = new RegExp(`action="(/cashier/\\w+/${button}\\?[^"]*)"`).exec(page)?.[1];
  if (action === undefined) throw new Error(`no button ${button}`);
  return await fetch(wechat.url + action.replaceAll('&amp;', '&'), {
    method: 'POST',
    redirect: 'manual',
  });
}

async function stateOf(outTradeNo: string): Promise<string | undefined> {
  return (await wechat.records()).sessions.find(({ id }) => id === outTradeNo)?.state;
}
