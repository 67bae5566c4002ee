import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  givenPaidSession,
  givenSession,
  type StripeProgram,
  secretKey,
  startStripe,
  tellDispute,
} from '../../test/stripe.ts';

let stripe: StripeProgram;
beforeAll(async () => {
  stripe = await startStripe();
});
beforeEach(async () => {
  await stripe.tell('/__sandbox/reset');
});
afterAll(async () => await stripe.stop());

const report_type = 'balance_change_from_activity.itemized.3';
const day = 24 * 3600;

const columns = [
  'balance_transaction_id',
  'created_utc',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
  'source_id',
  'charge_id',
  'payment_intent_id',
  'payment_metadata[paymentId]',
  'refund_metadata[refundId]',
];

test('a settlement report of the Stripe sandbox is pending when created and first retrieved, then has a file', async () => {
  const run = await stripe.sdk.reporting.reportRuns.create({
    report_type,
    parameters: { interval_start: 0, interval_end: 1, columns },
  });
  expect(run).toMatchObject({
    id: expect.stringMatching(/^frr_/),
    object: 'reporting.report_run',
    status: 'pending',
    result: null,
    succeeded_at: null,
    parameters: { interval_start: 0, interval_end: 1, columns },
  });

  expect(await stripe.sdk.reporting.reportRuns.retrieve(run.id)).toMatchObject({
    status: 'pending',
  });
  const done = await stripe.sdk.reporting.reportRuns.retrieve(run.id);
  expect(done).toMatchObject({
    status: 'succeeded',
    result: { object: 'file', type: 'csv', purpose: 'finance_report_run' },
  });
  expect(done.result?.url).toBe(`${stripe.url}/v1/files/${done.result?.id}/contents`);
  const [event] = (await stripe.sdk.events.list({ type: 'reporting.report_run.succeeded' })).data;
  expect(event?.data.object).toMatchObject({ id: run.id, status: 'succeeded' });
});

test('a Stripe sandbox settlement file has one signed line in major units for each balance transaction', async () => {
  const { from, to } = await givenDay();
  const [paymentId, disputedId] = [crypto.randomUUID(), crypto.randomUUID()];
  const paid = await givenPayment(paymentId);
  const refund = await stripe.sdk.refunds.create({
    payment_intent: paid,
    amount: 199,
    metadata: { refundId: 'r1' },
  });
  const disputed = await givenPayment(disputedId);
  const dispute = await tellDispute(stripe, '', { paymentIntent: disputed, stage: 'open' });
  await tellDispute(stripe, `/${dispute.id}`, { stage: 'won' });

  const lines = await settlement({ from, to });

  expect(lines.map((line) => [line.source_id?.slice(0, 3), line.reporting_category])).toEqual([
    ['ch_', 'charge'],
    ['re_', 'refund'],
    ['ch_', 'charge'],
    ['du_', 'dispute'],
    ['du_', 'dispute_reversal'],
  ]);
  expect(lines.map(({ gross, fee, net }) => [gross, fee, net])).toEqual([
    ['4.99', '0.44', '4.55'],
    ['-1.99', '0.00', '-1.99'],
    ['4.99', '0.44', '4.55'],
    ['-4.99', '15.00', '-19.99'],
    ['4.99', '0.00', '4.99'],
  ]);
  expect(lines[1]).toMatchObject({
    balance_transaction_id: refund.balance_transaction,
    created_utc: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    currency: 'usd',
    source_id: refund.id,
    charge_id: refund.charge,
    payment_intent_id: paid,
    'payment_metadata[paymentId]': paymentId,
    'refund_metadata[refundId]': 'r1',
  });
  expect(lines[4]).toMatchObject({
    source_id: dispute.id,
    payment_intent_id: disputed,
    'payment_metadata[paymentId]': disputedId,
    'refund_metadata[refundId]': '',
  });
});

test('a Stripe sandbox settlement file has no line of a refund that never succeeded, and two if it failed later', async () => {
  const { from, to } = await givenDay();
  const intent = await givenPayment();
  await stripe.tell('/__sandbox/refunds', { next: 'pending' });
  const pending = await stripe.sdk.refunds.create({ payment_intent: intent, amount: 100 });
  const done = await stripe.sdk.refunds.create({ payment_intent: intent, amount: 50 });
  await stripe.tell(`/__sandbox/refunds/${pending.id}/settle`, { status: 'failed' });
  await stripe.tell(`/__sandbox/refunds/${done.id}/settle`, { status: 'failed' });

  const lines = await settlement({ from, to });

  expect(lines.slice(1)).toMatchObject([
    { reporting_category: 'refund', source_id: done.id, gross: '-0.50' },
    { reporting_category: 'refund_failure', source_id: done.id, gross: '0.50' },
  ]);
});

test('a Stripe sandbox settlement file has only the transactions of its interval by the sandbox clock', async () => {
  const first = await givenDay();
  const intent = await givenPayment();
  const second = await givenDay();
  await stripe.sdk.refunds.create({ payment_intent: intent, amount: 100 });

  const [before, after] = [await settlement(first), await settlement(second)];

  expect(before).toMatchObject([{ reporting_category: 'charge', payment_intent_id: intent }]);
  expect(after).toMatchObject([{ reporting_category: 'refund', payment_intent_id: intent }]);
});

test.each([
  ['krw', 6000, '6000'],
  ['kwd', 1234, '1.234'],
  ['twd', 15_005, '150.05'],
])(
  'an amount in %s in a Stripe sandbox settlement file has the decimals of its currency',
  async (currency, unit_amount, gross) => {
    const { from, to } = await givenDay();
    const product_data = { name: 'Gems' };
    const { id } = await givenSession(stripe, {
      line_items: [{ quantity: 1, price_data: { currency, unit_amount, product_data } }],
      expires_at: to,
    });
    await stripe.tell(`/__sandbox/sessions/${id}/pay`);

    expect(await settlement({ from, to })).toMatchObject([{ gross, currency }]);
  },
);

test('a Stripe sandbox settlement file does not change once it is written', async () => {
  const { from, to } = await givenDay();
  await givenPayment();
  const url = await finishedUrl({ from, to });
  const before = await contentsAt(url);

  await givenPayment();
  await stripe.tell('/__sandbox/settlement', { invent: [{ amount: 1, currency: 'usd' }] });

  expect(await contentsAt(url)).toBe(before);
  expect(await settlement({ from, to })).toHaveLength(3);
});

test('a Stripe sandbox settlement file omits, alters and invents lines when the control API is told to', async () => {
  const { from, to } = await givenDay();
  const [left, wrong, right] = [await givenPayment(), await givenPayment(), await givenPayment()];
  const txnOf = async (intent: string) =>
    (await settlement({ from, to })).find((line) => line.payment_intent_id === intent);
  const [leftOut, altered] = [await txnOf(left), await txnOf(wrong)];

  await stripe.tell('/__sandbox/settlement', {
    omit: [leftOut?.source_id],
    alter: { [altered?.balance_transaction_id ?? '']: 498 },
    invent: [
      {
        amount: 12_345,
        currency: 'USD',
        sourceId: 'ch_made_up',
        chargeId: 'ch_made_up',
        paymentIntentId: 'pi_made_up',
        metadata: { paymentId: 'nobody' },
      },
    ],
  });
  const lines = await settlement({ from, to });

  expect(lines).toMatchObject([
    { payment_intent_id: wrong, gross: '4.98', fee: '0.44', net: '4.54' },
    { payment_intent_id: right, gross: '4.99' },
    { source_id: 'ch_made_up', gross: '123.45', 'payment_metadata[paymentId]': 'nobody' },
  ]);
  await stripe.tell('/__sandbox/settlement');
  expect(await settlement({ from, to })).toHaveLength(3);
});

test('the control API of the Stripe sandbox can keep a settlement report pending and can make it fail', async () => {
  await stripe.tell('/__sandbox/reports', { outcome: 'pending' });
  const run = await givenRun({ from: 0, to: 1 });
  for (const _time of [1, 2, 3]) {
    expect(await stripe.sdk.reporting.reportRuns.retrieve(run.id)).toMatchObject({
      status: 'pending',
    });
  }

  await stripe.tell('/__sandbox/reports', { outcome: 'failed' });

  // The SDK treats the field `error` of the run as an API error, although the status is 200.
  await expect(stripe.sdk.reporting.reportRuns.retrieve(run.id)).rejects.toMatchObject({
    statusCode: 200,
    rawType: 'An internal error occurred.',
  });
  const [event] = (await stripe.sdk.events.list({ type: 'reporting.report_run.failed' })).data;
  expect(event?.data.object).toMatchObject({ id: run.id, status: 'failed', result: null });
});

test('the Stripe sandbox refuses a settlement report beyond data_available_end and names that time', async () => {
  const until = Math.floor(Date.now() / 1000) - day;
  await stripe.tell('/__sandbox/reports', { availableUntil: until });

  expect(await stripe.sdk.reporting.reportTypes.retrieve(report_type)).toMatchObject({
    object: 'reporting.report_type',
    data_available_end: until,
  });
  await expect(givenRun({ from: 0, to: until + 1 })).rejects.toMatchObject({
    statusCode: 400,
    param: 'parameters[interval_end]',
  });
  expect((await givenRun({ from: 0, to: until })).status).toBe('pending');
});

test.each([
  ['another report type', { report_type: 'balance.summary.1' }, 'report_type'],
  ['an unknown column', { columns: ['colour'] }, 'parameters[columns]'],
  ['an empty interval', { interval_end: 0 }, 'parameters[interval_start]'],
])(
  'the Stripe sandbox refuses a settlement report request with %s',
  async (_what, changes, param) => {
    const { report_type: type = report_type, ...more } = { report_type: undefined, ...changes };
    const ordered = stripe.sdk.reporting.reportRuns.create({
      report_type: type,
      parameters: { interval_start: 0, interval_end: 1, ...more },
    });

    await expect(ordered).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param });
  },
);

test('the Stripe sandbox gives a settlement file only for the API key, and its download can be made to fail', async () => {
  const url = await finishedUrl({ from: 0, to: 1 });
  const wrongKey = await fetch(url, { headers: { authorization: 'Bearer sk_test_other' } });
  expect(wrongKey.status).toBe(401);

  const match = 'GET /v1/files/:id/contents';
  await stripe.tell('/__sandbox/faults', { match, kind: 'http500_before' });
  await stripe.tell('/__sandbox/faults', { match, kind: 'cut_after_commit' });

  expect((await fetchFile(url)).status).toBe(500);
  await expect(fetchFile(url)).rejects.toThrow();
  const response = await fetchFile(url);
  expect(response.headers.get('content-type')).toContain('text/csv');
  const text = await response.text();
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
});

let lastDay = 0;

/** Advances the clock to a new day without any other transactions. */
async function givenDay(): Promise<{ from: number; to: number }> {
  const now = await clock(0);
  lastDay = Math.max(lastDay, now) + 2 * day;
  const from = await clock(lastDay - now);
  return { from, to: from + day };
}

async function clock(advanceSeconds: number): Promise<number> {
  // The sandbox is part of this project, and the test checks every field that it uses.
  const answer = await stripe.tell('/__sandbox/clock', { advanceSeconds });
  return (answer as { now: number }).now;
}

async function givenPayment(paymentId: string = crypto.randomUUID()): Promise<string> {
  const { intentId } = await givenPaidSession(stripe, {
    payment_intent_data: { metadata: { paymentId } },
    expires_at: (await clock(0)) + 3600,
  });
  return intentId;
}

async function givenRun({ from, to }: { from: number; to: number }) {
  return await stripe.sdk.reporting.reportRuns.create({
    report_type,
    parameters: { interval_start: from, interval_end: to, columns },
  });
}

async function finishedUrl(time: { from: number; to: number }): Promise<string> {
  const { id } = await givenRun(time);
  await stripe.sdk.reporting.reportRuns.retrieve(id);
  const { result } = await stripe.sdk.reporting.reportRuns.retrieve(id);
  return result?.url ?? '';
}

async function fetchFile(url: string): Promise<Response> {
  return await fetch(url, { headers: { authorization: `Bearer ${secretKey}` } });
}

async function contentsAt(url: string): Promise<string> {
  return await (await fetchFile(url)).text();
}

/** Orders a settlement file and answers its lines as objects keyed by column. */
async function settlement(time: { from: number; to: number }): Promise<Record<string, string>[]> {
  const [head = '', ...lines] = (await contentsAt(await finishedUrl(time))).trim().split('\n');
  const cells = (line: string) => line.slice(1, -1).split('","');
  expect(cells(head)).toEqual(columns);
  return lines.map((line) =>
    Object.fromEntries(cells(line).map((cell, index) => [columns[index] ?? '', cell])),
  );
}
