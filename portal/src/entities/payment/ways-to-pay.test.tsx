import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { encodeQR } from 'qr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { callsOf, givenOrder, givenShop, open, orderId, siteConfig } from '../../../test/shop.tsx';

const payPath = '/api/payment/order/pay';

function siteWith(...methods: PaymentMethod[]) {
  return { ...siteConfig, methods };
}

beforeEach(() => {
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('[S3.06] the top-up page offers a Visa card and a PayPal card as payment methods, each under its own label', async () => {
  givenShop();
  await open('/main/recharge', siteWith('card', 'paypal', 'epoint'));
  await screen.findByRole('radio', { name: 'Visa card' });
  screen.getByRole('radio', { name: 'PayPal card' });
});

test.each([
  ['card', 'Visa card'],
  ['paypal', 'PayPal card'],
] as const)(
  '[S3.06] the order page shows the payment method of an order paid with %s as "%s"',
  async (method, label) => {
    givenShop({ '/api/payment/order/detail': givenOrder({ method }) });
    await open(`/main/recharge/detail/${orderId}`);
    await screen.findByText(label);
  },
);

test('the top-up page does not offer a payment method that does not support the currency of the prices', async () => {
  givenShop();
  await open('/main/recharge', siteWith('card', 'wechatpay'));
  await screen.findByRole('button', { name: 'Pay $4.99' });
  expect(screen.queryByText('WeChat Pay')).toBeNull();
});

test('the order page shows the QR code of a WeChat Pay payment as an image', async () => {
  const code = 'weixin://wxpay/bizpayurl?pr=p4lpSuKzz';
  const calls = givenShop({
    '/api/payment/order/detail': givenOrder({ method: 'wechatpay' }),
    [payPath]: { action: { kind: 'qr', content: code } },
  });
  await open(`/main/recharge/detail/${orderId}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.99' }));
  await screen.findByRole('heading', { name: 'Scan with WeChat Pay' });
  const picture = screen.getByRole('img', { name: 'QR code for WeChat Pay' });
  expect(picture).toHaveProperty('src', encodeQR(code, 'data-url', { border: 2 }));
  expect(callsOf(calls, payPath)).toHaveLength(1);
});

test('the order page inside WeChat opens the WeChat cashier for a payment and then reads the order again', async () => {
  const params = {
    appId: 'wx0123456789abcdef',
    timeStamp: '1789000000',
    nonceStr: 'nonce',
    package: 'prepay_id=wx2026',
    signType: 'RSA',
    paySign: 'signature',
  };
  const invoke = vi.fn((_name: string, _params: object, done: (result: object) => void) =>
    done({ err_msg: 'get_brand_wcpay_request:ok' }),
  );
  vi.stubGlobal('WeixinJSBridge', { invoke });
  const calls = givenShop({
    '/api/payment/order/detail': givenOrder({ method: 'wechatpay' }),
    [payPath]: { action: { kind: 'wechat_jsapi', params } },
  });
  await open(`/main/recharge/detail/${orderId}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Pay $4.99' }));
  await waitFor(() => expect(invoke).toHaveBeenCalledOnce());
  expect(invoke.mock.calls[0]?.slice(0, 2)).toEqual(['getBrandWCPayRequest', params]);
  await waitFor(() =>
    expect(callsOf(calls, '/api/payment/order/detail').length).toBeGreaterThan(1),
  );
});
