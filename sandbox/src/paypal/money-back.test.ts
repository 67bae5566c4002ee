import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditedIn, sorted } from '../../test/audited.ts';
import { givenCapture, type PaypalProgram, startPaypal } from '../../test/paypal.ts';

let paypal: PaypalProgram;
beforeAll(async () => {
  paypal = await startPaypal();
});
beforeEach(async () => {
  await paypal.tell('/__sandbox/reset');
});
afterAll(async () => await paypal.stop());

const dollars = (value: string) => ({ currencyCode: 'USD', value });

async function refund(captureId: string, value: string, customId: string = crypto.randomUUID()) {
  const { result } = await paypal.sdk.payments.refundCapturedPayment({
    captureId,
    paypalRequestId: customId,
    prefer: 'return=representation',
    body: { amount: dollars(value), customId },
  });
  return result;
}

function refused(issue: string) {
  return { statusCode: 422, result: { details: [{ issue }] } };
}

test('the PayPal sandbox refuses partial refunds beyond the captured amount', async () => {
  const { captureId, orderId } = await givenCapture(paypal);
  expect(await refund(captureId, '1.00', 'first')).toMatchObject({
    status: 'COMPLETED',
    customId: 'first',
    amount: dollars('1.00'),
  });
  await expect(refund(captureId, '4.00')).rejects.toMatchObject(refused('REFUND_AMOUNT_EXCEEDED'));
  await refund(captureId, '3.99');
  await expect(refund(captureId, '0.01')).rejects.toMatchObject(refused('CAPTURE_FULLY_REFUNDED'));

  const { result } = await paypal.sdk.orders.getOrder({ id: orderId });
  const payments = result.purchaseUnits?.[0]?.payments;
  expect(payments?.captures?.[0]?.status).toBe('REFUNDED');
  expect(payments?.refunds).toHaveLength(2);
});

test('the PayPal sandbox answers a repeated refund request id with its refund, and refuses another amount', async () => {
  const { captureId } = await givenCapture(paypal);
  const first = await refund(captureId, '1.00', 'mine');
  expect((await refund(captureId, '1.00', 'mine')).id).toBe(first.id);
  await expect(refund(captureId, '2.00', 'mine')).rejects.toMatchObject(
    refused('DUPLICATE_REQUEST_ID'),
  );
});

test('a pending refund in the PayPal sandbox reserves its amount until the bank fails it, and can then be retried', async () => {
  const { captureId } = await givenCapture(paypal);
  await paypal.tell('/__sandbox/refunds', { next: 'pending' });
  const pending = await refund(captureId, '4.99');
  expect(pending.status).toBe('PENDING');
  await expect(refund(captureId, '0.01')).rejects.toMatchObject(refused('CAPTURE_FULLY_REFUNDED'));
  await paypal.tell(`/__sandbox/refunds/${pending.id}/settle`, { status: 'failed' });
  expect((await refund(captureId, '4.99')).status).toBe('COMPLETED');
});

test('each stage of a PayPal sandbox dispute, from inquiry to chargeback to decision, moves the merchant balance', async () => {
  const { captureId } = await givenCapture(paypal);
  const tell = async (path: string, body: object) => {
    const answer = await paypal.tell(`/__sandbox/disputes${path}`, body);
    return Object(answer);
  };
  const { id } = await tell('', { paymentIntent: captureId, stage: 'warning' });
  await refund(captureId, '0.50');
  expect((await tell(`/${id}`, { stage: 'open' })).status).toBe('needs_response');
  await expect(refund(captureId, '0.50')).rejects.toMatchObject(
    refused('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'),
  );
  expect((await tell(`/${id}`, { stage: 'lost' })).status).toBe('lost');
  expect((await tell(`/${id}`, { stage: 'won' })).status).toBe('won');
  await expect(tell(`/${id}`, { stage: 'open' })).rejects.toThrow('422');

  const { transactionDetails = [] } = await transactions();
  const moved = transactionDetails
    .map(({ transactionInfo }) => transactionInfo)
    .filter((info) => info?.paypalReferenceId === captureId)
    .map((info) => [info?.transactionEventCode, info?.transactionAmount?.value]);
  expect(moved).toEqual([
    ['T1107', '-0.50'],
    ['T1201', '-4.99'],
    ['T0106', '-20.00'],
    ['T1202', '4.99'],
  ]);
});

test('the PayPal sandbox lists captures and refunds as transactions page by page, and fails when its control API is told to', async () => {
  const { captureId, orderId } = await givenCapture(paypal);
  const made = await refund(captureId, '1.00', 'ours');
  const { transactionDetails = [] } = await transactions();
  const mine = transactionDetails.map(({ transactionInfo }) => transactionInfo);
  expect(mine.find((info) => info?.transactionId === captureId)).toMatchObject({
    transactionEventCode: 'T0006',
    paypalReferenceId: orderId,
    transactionAmount: dollars('4.99'),
    feeAmount: dollars('-0.66'),
    customField: 'ours',
  });
  expect(mine.find((info) => info?.transactionId === made.id)).toMatchObject({
    transactionAmount: dollars('-1.00'),
    paypalReferenceId: captureId,
  });
  const first = await transactions({ pageSize: 1 });
  expect(first).toMatchObject({ page: 1, totalPages: mine.length, totalItems: mine.length });

  await paypal.tell('/__sandbox/settlement', {
    omit: [made.id],
    alter: { [captureId]: 1 },
    invent: [{ id: 'INVENTED', amount: 7, currency: 'usd' }],
  });
  const wrong = (await transactions()).transactionDetails?.map(({ transactionInfo }) => [
    transactionInfo?.transactionId,
    transactionInfo?.transactionAmount?.value,
  ]);
  expect(wrong).toContainEqual([captureId, '0.01']);
  expect(wrong).toContainEqual(['INVENTED', '0.07']);
  expect(wrong?.flat()).not.toContain(made.id);
});

test('the PayPal sandbox lists charges, refunds and disputes for the auditor program in the format of all provider sandboxes', async () => {
  const other = await startPaypal();
  try {
    const paymentId = crypto.randomUUID();
    const { captureId } = await givenCapture(other, {
      referenceId: paymentId,
      currency: 'TWD',
      amount: '150',
    });
    await other.tell('/__sandbox/refunds', { next: 'pending' });
    await other.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 5000 });
    const done = Object(
      await other.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 100 }),
    );
    const ours = crypto.randomUUID();
    await other.sdk.payments.refundCapturedPayment({
      captureId,
      paypalRequestId: ours,
      body: { amount: { currencyCode: 'TWD', value: '2' }, customId: ours },
    });
    const opened = await other.tell('/__sandbox/disputes', {
      paymentIntent: captureId,
      stage: 'open',
    });
    const start = `${paymentId}|${captureId}`;
    const audited = (of: string) => auditedIn(other, of);
    expect(await audited('charges')).toEqual(sorted([`${start}|15000|twd`]));
    expect(await audited('refunds')).toEqual(
      sorted([`${start}|${done.id}|100|twd`, `${start}|${ours}|200|twd`]),
    );
    const { id } = Object(opened);
    expect(await audited('disputes')).toEqual(sorted([`${start}|${id}|needs_response|15000|twd`]));
    expect(await other.get(`/__sandbox/charges?paymentId=${paymentId}`)).toMatchObject({
      charges: [
        {
          payment_intent: captureId,
          amount: 15_000,
          currency: 'twd',
          paymentId,
          status: 'succeeded',
        },
      ],
    });
    expect(await other.get('/__sandbox/records/refunds')).toMatchObject({
      records: [
        { status: 'pending' },
        { status: 'succeeded', metadata: {} },
        { status: 'succeeded', metadata: { refundId: ours } },
      ],
      next: null,
    });
    const { records } = Object(await other.get('/__sandbox/records/events'));
    expect(records.at(-1)).toMatchObject({
      type: 'CUSTOMER.DISPUTE.CREATED',
      created: expect.any(Number),
      data: { object: { id } },
    });
  } finally {
    await other.stop();
  }
});

async function transactions(more: { pageSize?: number } = {}) {
  const { result } = await paypal.sdk.transactions.searchTransactions({
    startDate: new Date(Date.now() - 3600_000).toISOString(),
    endDate: new Date(Date.now() + 3600_000).toISOString(),
    pageSize: 500,
    ...more,
  });
  return result;
}
