import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AdyenProgram,
  apiKey,
  givenPaid,
  merchantAccount,
  startAdyen,
} from '../../test/adyen.ts';
import { auditedIn, sorted } from '../../test/audited.ts';

let adyen: AdyenProgram;
beforeAll(async () => {
  adyen = await startAdyen();
});
beforeEach(() => adyen.tell('/__sandbox/reset'));
afterAll(() => adyen.stop());

const refund = (pspReference: string, value: number, reference: string = randomUUID()) =>
  adyen.sdk.ModificationsApi.refundCapturedPayment(
    pspReference,
    { merchantAccount, amount: { value, currency: 'USD' }, reference },
    { idempotencyKey: reference },
  );

async function lastEvents(count: number) {
  const { events } = await adyen.records();
  return events.slice(0, count).map(({ type, data }) => ({ type, ...data.object }));
}

test('the Adyen sandbox makes a refund that is requested twice once, and its webhook has the merchant reference', async () => {
  const { pspReference, paymentId } = await givenPaid(adyen);
  const reference = randomUUID();
  const taken = await refund(pspReference, 100, reference);
  expect(taken).toMatchObject({
    status: 'received',
    paymentPspReference: pspReference,
    reference,
    amount: { value: 100, currency: 'USD' },
  });
  expect(await refund(pspReference, 100, reference)).toEqual(taken);
  expect(await lastEvents(1)).toMatchObject([
    {
      type: 'REFUND',
      success: 'true',
      merchantReference: reference,
      originalReference: pspReference,
      pspReference: taken.pspReference,
    },
  ]);
  expect(await adyen.get(`/__sandbox/refunds?paymentId=${paymentId}`)).toMatchObject({
    refunds: [{ amount: 100, status: 'succeeded', metadata: { refundId: reference } }],
  });
});

test('the Adyen sandbox accepts a refund request above the remaining amount, and a later webhook says that it failed', async () => {
  const { pspReference } = await givenPaid(adyen);
  await refund(pspReference, 400);
  expect(await refund(pspReference, 100)).toMatchObject({ status: 'received' });
  expect(await lastEvents(1)).toMatchObject([{ type: 'REFUND', success: 'false' }]);
  await refund(pspReference, 99);
  expect(await lastEvents(1)).toMatchObject([{ type: 'REFUND', success: 'true' }]);
});

test('the Adyen sandbox refuses a refund request for an unknown payment', async () => {
  await expect(refund('0000000000000000', 1)).rejects.toMatchObject({
    body: { errorCode: '167', errorType: 'validation' },
  });
});

test('a pending refund in the Adyen sandbox succeeds when the control API settles it, and can still fail later', async () => {
  const { pspReference } = await givenPaid(adyen);
  await adyen.tell('/__sandbox/refunds', { next: 'pending' });
  const reference = randomUUID();
  await refund(pspReference, 499, reference);
  expect(await lastEvents(1)).toMatchObject([{ type: 'CAPTURE' }]);
  await adyen.tell(`/__sandbox/refunds/${reference}/settle`, { status: 'succeeded' });
  await adyen.tell(`/__sandbox/refunds/${reference}/settle`, { status: 'failed' });
  expect(await lastEvents(2)).toMatchObject([
    { type: 'REFUND_FAILED', success: 'true' },
    { type: 'REFUND', success: 'true' },
  ]);
  expect(await refund(pspReference, 499)).toMatchObject({ status: 'received' });
  expect(await lastEvents(1)).toMatchObject([{ type: 'REFUND', success: 'true' }]);
});

test('a refund made by the merchant in the Customer Area of the Adyen sandbox has the reference of its payment', async () => {
  const { pspReference, session } = await givenPaid(adyen);
  await adyen.tell(`/__sandbox/charges/${pspReference}/refund`, { amount: 1 });
  expect(await lastEvents(1)).toMatchObject([
    { type: 'REFUND', merchantReference: session.reference },
  ]);
});

test('the webhooks of the Adyen sandbox about the stages of one dispute all have the same PSP reference', async () => {
  const { pspReference } = await givenPaid(adyen);
  const opened = await adyen.tell('/__sandbox/disputes', {
    paymentIntent: pspReference,
    stage: 'warning',
  });
  // The sandbox is part of this project, and its answer is checked below.
  const { id } = opened as { id: string };
  for (const stage of ['open', 'won', 'lost'])
    await adyen.tell(`/__sandbox/disputes/${id}`, { stage });
  expect(await lastEvents(4)).toMatchObject([
    { type: 'SECOND_CHARGEBACK', pspReference: id, originalReference: pspReference },
    { type: 'CHARGEBACK_REVERSED', pspReference: id },
    { type: 'CHARGEBACK', pspReference: id },
    { type: 'NOTIFICATION_OF_CHARGEBACK', pspReference: id },
  ]);
  await expect(adyen.tell(`/__sandbox/disputes/${id}`, { stage: 'open' })).rejects.toThrow('lost');
});

test('the Adyen sandbox lists charges, refunds and disputes for the auditor program', async () => {
  const own = await startAdyen();
  try {
    const { pspReference, paymentId } = await givenPaid(own);
    const reference = randomUUID();
    await own.sdk.ModificationsApi.refundCapturedPayment(pspReference, {
      merchantAccount,
      amount: { value: 100, currency: 'USD' },
      reference,
    });
    await own.tell('/__sandbox/disputes', { paymentIntent: pspReference, stage: 'open' });
    const { disputes } = await own.records();
    const start = `${paymentId}|${pspReference}`;
    for (const [of, line] of [
      ['charges', `${start}|499|usd`],
      ['refunds', `${start}|${reference}|100|usd`],
      ['disputes', `${start}|${disputes[0]?.id}|needs_response|499|usd`],
    ]) {
      expect(await auditedIn(own, of ?? '')).toEqual(sorted([line ?? '']));
    }
  } finally {
    await own.stop();
  }
});

test('a settlement report of the Adyen sandbox is missing until it is ready, then lists payments and payouts', async () => {
  const own = await startAdyen();
  try {
    const { pspReference } = await givenPaid(own, { amount: { value: 500, currency: 'JPY' } });
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '_');
    const read = () =>
      fetch(
        `${own.url}/reports/download/MerchantAccount/${merchantAccount}/settlement_detail_report_${day}.csv`,
        { headers: { 'x-api-key': apiKey } },
      );
    expect((await read()).status).toBe(404);
    const paid = await own.tell('/__sandbox/payouts', { currency: 'JPY' });
    // A markup of 0.6 %, a scheme fee of 0.2 % and interchange of 0.3 % are deducted.
    expect(paid).toMatchObject({ amount: 494, currency: 'JPY' });
    expect(await own.get('/__sandbox/balance')).toEqual({ balances: { JPY: 0 } });
    await own.tell('/__sandbox/settlement', { isReady: true });
    const text = await (await read()).text();
    expect(text.split('\n')[1]).toMatch(
      new RegExp(`^SandboxCompany,${merchantAccount},${pspReference},.*,Settled,.*,JPY,,500,1,JPY`),
    );
    expect(text).toMatch(/,MerchantPayout,"TX[^"]*",.*,JPY,494,,/);
    await own.tell('/__sandbox/settlement', { isReady: true, omit: [pspReference] });
    expect(await (await read()).text()).not.toContain(pspReference);
  } finally {
    await own.stop();
  }
});
