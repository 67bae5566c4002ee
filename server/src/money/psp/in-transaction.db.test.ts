import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import type { Db } from '../../platform/db.ts';
import { openAdyen } from './adyen.ts';
import { openAlipay } from './alipay.ts';
import { openPaypal } from './paypal.ts';
import type { Payment, PaymentProvider, PaymentRequest } from './psp.ts';
import * as adyen from './test/adyen-world.ts';
import * as alipay from './test/alipay-world.ts';
import { refundsOf } from './test/payments.ts';
import * as paypal from './test/paypal-world.ts';
import * as stripe from './test/stripe-world.ts';
import * as wechatpay from './test/wechatpay-world.ts';
import { openWechatpay } from './wechatpay.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await cloneDatabase();
  db = database.open(1);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface Known {
  provider: PaymentProvider;
  request: PaymentRequest;
  pspRef: string;
  captureId: string;
}

const numberOf = ({ reference }: PaymentRequest) => reference.attemptId.replaceAll('-', '');
const inYuan = { wechatpay: wechatpay.givenRequest(), alipay: alipay.givenRequest() };

test.each<Known>([
  {
    provider: stripe.openAt('http://127.0.0.1:9'),
    request: stripe.givenRequest(),
    pspRef: 'cs_test_1',
    captureId: 'pi_1',
  },
  {
    provider: openPaypal({
      clientId: 'client',
      clientSecret: 'secret',
      environment: 'sandbox',
      webhookIds: [paypal.webhookId],
    }),
    request: paypal.givenRequest(),
    pspRef: '5O190127TN364715T',
    captureId: '5O190127TN364715T',
  },
  {
    provider: openWechatpay(wechatpay.givenOptions()),
    request: inYuan.wechatpay,
    pspRef: numberOf(inYuan.wechatpay),
    captureId: '4200000000202611150000000001',
  },
  {
    provider: openAlipay(alipay.givenOptions()),
    request: inYuan.alipay,
    pspRef: numberOf(inYuan.alipay),
    captureId: '2026111522001000000000000001',
  },
  {
    provider: openAdyen(adyen.givenOptions()),
    request: adyen.givenRequest(),
    pspRef: 'CS1',
    captureId: 'KHQC5N7G84BLNK43',
  },
])(
  'the $provider.provider adapter throws an error when it is called inside a database transaction',
  async (known) => {
    const calls = callsOf(known);
    expect(calls.length).toBeGreaterThanOrEqual(2);
    for (const call of calls) {
      await expect(db.transaction(() => call())).rejects.toThrow('inside a transaction');
    }
  },
);

function callsOf({ provider, request, pspRef, captureId }: Known): (() => Promise<unknown>)[] {
  const { reference, money } = request;
  const payment: Payment = { pspRef, reference, money };
  const refund = refundsOf(payment, captureId)();
  const period = { from: new Date(0), until: new Date(86_400_000), reportId: null };
  const calls: (() => Promise<unknown>)[] = [
    () => provider.createPayment(request),
    () => provider.refund(refund),
  ];
  // Adyen offers no queries and no close, so the adapter makes no other calls.
  if (provider.provider === 'adyen') return calls;
  calls.push(
    () => provider.queryPayment(payment),
    () => provider.closePayment(payment),
    () => provider.findCapture(captureId),
    () => provider.queryRefund(refund),
    () => provider.settlement(period),
  );
  if (provider.provider === 'stripe') {
    calls.push(() => provider.settlement({ ...period, reportId: 'frr_1' }));
  }
  const { capture } = provider;
  if (capture !== undefined) calls.push(() => capture(payment));
  return calls;
}
