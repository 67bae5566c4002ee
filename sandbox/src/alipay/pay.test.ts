import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AlipayProgram, givenOrder, pageUrl, startAlipay } from '../../test/alipay.ts';

let alipay: AlipayProgram;
beforeAll(async () => {
  alipay = await startAlipay();
});
beforeEach(() => alipay.tell('/__sandbox/reset'));
afterAll(() => alipay.stop());

const press = (button: string, token: string) =>
  fetch(`${alipay.url}/cashier/${token}/${button}`, { method: 'POST', redirect: 'manual' });

/** Opens the cashier page of an order as a payer. */
async function openedPage(way: 'page' | 'wap' = 'page', order = givenOrder()) {
  const reply = await fetch(pageUrl(alipay, order, { way }));
  const { sessions } = await alipay.records();
  const session = sessions.find(({ id }) => id === order.out_trade_no);
  return { order, page: await reply.text(), status: reply.status, token: session?.token ?? '' };
}

describe('Alipay cashier', () => {
  test('the Alipay sandbox cashier shows the amount, escapes the order subject and forbids scripts by its CSP', async () => {
    const order = givenOrder({ subject: '<b>60</b> gems'.replaceAll('/', '') });
    const reply = await fetch(pageUrl(alipay, order));
    const page = await reply.text();
    expect(page).toContain('Pay ¥6.00');
    expect(page).toContain('&lt;b&gt;60');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test.each([['page'], ['wap']] as const)(
    'the Alipay sandbox %s cashier charges the payer once and redirects to the shop with a signed result',
    async (way) => {
      const { token, order } = await openedPage(way);
      const reply = await press('pay', token);
      expect(reply.status).toBe(303);
      const back = new URL(reply.headers.get('location') ?? '');
      expect(back.origin + back.pathname).toBe('http://shop.test/back');
      const said = Object.fromEntries(back.searchParams);
      expect(said).toMatchObject({ from: 'pay', out_trade_no: order.out_trade_no });
      const { from, ...signed } = said;
      expect(alipay.sdk.checkNotifySignV2(signed)).toBe(true);
      expect((await press('pay', token)).status).toBe(303);
      const { charges } = await alipay.records();
      expect(
        charges.filter(({ paymentId }) => order.passback_params.includes(paymentId)),
      ).toHaveLength(1);
    },
  );

  test('the Alipay sandbox cashier charges nothing to a payer who declines the payment or leaves the page', async () => {
    const { token, order } = await openedPage('wap');
    expect(await (await press('decline', token)).text()).toContain('declined');
    expect((await press('leave', token)).headers.get('location')).toBe('http://shop.test/left');
    expect(await state(order.out_trade_no)).toBe('WAIT_BUYER_PAY');
  });

  test('the Alipay sandbox cashier takes the payment of a payer who does not return to the shop', async () => {
    const { token, order } = await openedPage();
    const reply = await press('pay-and-stay', token);
    expect(await reply.text()).toContain('Paid');
    expect(await state(order.out_trade_no)).toBe('TRADE_SUCCESS');
  });

  test('the Alipay sandbox cashier refuses payment of an expired order unless a late payment is forced', async () => {
    const { token, order } = await openedPage();
    await alipay.tell('/__sandbox/clock', { advanceSeconds: 3600 });
    expect((await press('pay', token)).status).toBe(410);
    expect(await state(order.out_trade_no)).toBe('TRADE_CLOSED');
    expect((await press('pay-late', token)).status).toBe(303);
    expect(await state(order.out_trade_no)).toBe('TRADE_SUCCESS');
  });

  test('the Alipay sandbox cashier shows a paid order as paid when it is opened again', async () => {
    const { token, order } = await openedPage();
    await press('pay', token);
    expect((await openedPage('page', order)).page).toContain('Paid');
  });

  test('the Alipay sandbox cashier refuses a URL that was changed after the shop had signed it', async () => {
    const order = givenOrder();
    const cheaper = pageUrl(alipay, order).replace('6.00', '0.01');
    const reply = await fetch(cheaper);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('isv.invalid-signature');
    expect(await state(order.out_trade_no)).toBeUndefined();
  });

  test('the Alipay sandbox cashier refuses a reused order number with another amount', async () => {
    const { order } = await openedPage();
    const reply = await fetch(pageUrl(alipay, { ...order, total_amount: '0.01' }));
    expect(await reply.text()).toContain('ACQ.CONTEXT_INCONSISTENT');
  });

  test('the Alipay sandbox scan page opens the order of a QR code, and answers 404 to an unknown code', async () => {
    const order = givenOrder();
    const { qr_code } = await alipay.ask('alipay.trade.precreate', order);
    const scan = (code: string) => fetch(`${alipay.url}/scan?code=${encodeURIComponent(code)}`);
    expect(await (await scan(qr_code)).text()).toContain('¥6.00');
    expect((await scan('https://qr.alipay.com/bax0')).status).toBe(404);
    expect((await fetch(`${alipay.url}/scan`)).status).toBe(200);
    expect((await fetch(`${alipay.url}/cashier/none`)).status).toBe(404);
  });
});

test('the overview page of the Alipay sandbox shows an order', async () => {
  const { order } = await openedPage();
  const page = await (await fetch(`${alipay.url}/__sandbox`)).text();
  expect(page).toContain('Sandbox Alipay');
  expect(page).toContain(order.out_trade_no);
});

async function state(outTradeNo: string): Promise<string | undefined> {
  const { sessions } = await alipay.records();
  return sessions.find(({ id }) => id === outTradeNo)?.state;
}
