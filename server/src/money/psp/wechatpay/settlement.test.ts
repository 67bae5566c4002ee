import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider } from '../psp.ts';
import { startWechatpayWorld, type WechatpayWorld } from '../test/wechatpay-world.ts';

let world: WechatpayWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startWechatpayWorld();
  provider = world.provider;
});
beforeEach(async () => {
  await world.outsider.tell('/__sandbox/reset', {});
  await world.outsider.tell('/__sandbox/bills', { outcome: 'ready' });
});
afterAll(() => world.outsider.stop());

const bill = 'GET /v3/bill/tradebill';
const funds = 'GET /v3/bill/fundflowbill';
const file = 'GET /v3/billdownload/file';
const hourMs = 3600_000;
const dayMs = 24 * hourMs;
const beijingMs = 8 * hourMs;
/** From an hour ago until tomorrow in Beijing at the latest, because tomorrow has no bill yet. */
const period = () => {
  const now = Date.now();
  const tomorrow = Math.ceil((now + 1 + beijingMs) / dayMs) * dayMs - beijingMs;
  return {
    from: new Date(now - hourMs),
    until: new Date(Math.min(now + hourMs, tomorrow)),
    reportId: null,
  };
};

test('the WeChat adapter’s settlement has one line per payment and refund with its exact amount and time', async () => {
  const { captureId, refundRequest, request } = await world.givenPayment();
  const back = refundRequest({ money: { amountMinor: 123n, currency: 'CNY' } });
  await provider.refund(back);
  await world.outsider.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 1 });

  const lines = (await linesOf()).filter((line) => line.captureId === captureId);
  const [paid, ours, theirs] = lines;
  expect(lines).toHaveLength(3);
  expect(paid).toEqual({
    lineId: captureId,
    kind: 'capture',
    subjectId: captureId,
    captureId,
    money: request.money,
    at: expect.any(Date),
  });
  expect(ours).toMatchObject({
    kind: 'refund',
    subjectId: back.refundId,
    money: { amountMinor: -123n, currency: 'CNY' },
  });
  expect(theirs).toMatchObject({ kind: 'refund', money: { amountMinor: -1n } });
  expect(theirs?.subjectId).toBe(theirs?.lineId);
  expect(Math.abs((paid?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});

test('the WeChat adapter’s settlement has payment fees, fees returned with a refund and account fees as fee lines', async () => {
  const { captureId, refundRequest } = await world.givenPayment();
  await provider.refund(refundRequest({ money: { amountMinor: 500n, currency: 'CNY' } }));
  await world.outsider.tell('/__sandbox/fees', { currency: 'CNY', amount: 30 });
  const lines = await allLines();
  const fees = lines.filter(({ kind }) => kind === 'fee');
  expect(fees.filter((line) => line.captureId === captureId)).toMatchObject([
    { money: { amountMinor: -4n, currency: 'CNY' } },
    { money: { amountMinor: 3n, currency: 'CNY' } },
  ]);
  expect(fees.filter((line) => line.captureId === null)).toMatchObject([
    { money: { amountMinor: -30n } },
  ]);
  expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(lines.length);
});

test('the WeChat adapter’s settlement has withdrawals, returned withdrawals and deposits as payout lines', async () => {
  const tell = (path: string, body: object) => world.outsider.tell(`/__sandbox/${path}`, body);
  const { id } = Object(await tell('payouts', { currency: 'CNY', amount: 250 }));
  await tell(`payouts/${id}/return`, {});
  await tell('payouts', { currency: 'CNY', amount: -40 });
  const payouts = (await allLines()).filter(({ kind }) => kind === 'payout');
  expect(payouts.map(({ captureId, money }) => [captureId, money.amountMinor])).toEqual([
    [null, -250n],
    [null, 250n],
    [null, 40n],
  ]);
});

test('the WeChat adapter’s settlement leaves out lines before and after the period', async () => {
  const { captureId } = await world.givenPayment();
  const until = new Date(Date.now() - 60_000);
  const before = await provider.settlement({ ...period(), until });
  expect(before).toMatchObject({ outcome: 'ok' });
  expect(JSON.stringify(before, bigints)).not.toContain(captureId);
  const from = new Date(Date.now() + 60_000);
  const after = await provider.settlement({ ...period(), from });
  expect(after).toMatchObject({ outcome: 'ok' });
  expect(JSON.stringify(after, bigints)).not.toContain(captureId);
});

test('the WeChat adapter’s settlement has no line for a refund that is still pending', async () => {
  const { captureId, refundRequest } = await world.givenPayment();
  await world.outsider.tell('/__sandbox/refunds', { next: 'pending' });
  await provider.refund(refundRequest());
  const lines = (await linesOf()).filter((line) => line.captureId === captureId);
  expect(lines).toMatchObject([{ kind: 'capture' }]);
});

test('the WeChat adapter’s settlement is not_ready while WeChat is creating the bill', async () => {
  await world.outsider.tell('/__sandbox/bills', { outcome: 'creating' });
  expect(await provider.settlement(period())).toMatchObject({
    outcome: 'not_ready',
    reportId: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
});

test('the WeChat adapter reports no settlement lines for a day without a bill', async () => {
  const from = new Date('2026-01-01T00:00:00Z');
  const until = new Date('2026-01-03T00:00:00Z');
  expect(await provider.settlement({ from, until, reportId: null })).toEqual({
    outcome: 'ok',
    lines: [],
  });
});

test('the WeChat adapter reports a settlement period of a whole year as unknown', async () => {
  const until = new Date();
  const from = new Date(until.getTime() - 365 * 24 * hourMs);
  expect(await provider.settlement({ from, until, reportId: null })).toMatchObject({
    outcome: 'unknown',
  });
});

test('the WeChat adapter returns exactly the lines of WeChat’s settlement bill, even if lines are missing, altered or invented there', async () => {
  const [kept, gone] = [await world.givenPayment(), await world.givenPayment()];
  await world.outsider.tell('/__sandbox/settlement', {
    omit: [gone.captureId],
    alter: { [kept.captureId]: 601 },
    invent: [{ amount: 5, outTradeNo: 'invented', transactionId: '4200777' }],
  });
  // The sandbox dates an invented line at the beginning of the day.
  const day = { ...period(), from: new Date(Date.now() - 24 * hourMs) };
  const settled = await provider.settlement(day);
  if (settled.outcome !== 'ok') throw new Error(settled.outcome);
  const trades = settled.lines.filter(({ kind }) => kind === 'capture');
  const byCapture = new Map(trades.map((line) => [line.captureId, line.money.amountMinor]));
  expect(byCapture.get(kept.captureId)).toBe(601n);
  expect(byCapture.has(gone.captureId)).toBe(false);
  expect(byCapture.get('4200777')).toBe(5n);
});

test.each([
  ...[
    [bill, 'http500_before'],
    [bill, 'cut_after_commit'],
    [bill, 'signtest'],
  ],
  ...[
    [bill, 'unsigned'],
    [bill, 'json404_without_error'],
    [bill, 'truncated'],
  ],
  ...[
    [file, 'http500_before'],
    [file, 'cut_before'],
    [file, 'truncated'],
  ],
  ...[
    [file, 'http500_after_commit'],
    [file, 'json404_without_error'],
  ],
  ...[
    [funds, 'http500_before'],
    [funds, 'unsigned'],
  ],
])(
  'the WeChat adapter reports a settlement as unknown, not empty, when its request %s ends in the fault %s',
  async (match = '', kind = '') => {
    await world.givenPayment();
    // A period around midnight in Beijing has two bills.
    await world.fault(match, kind, { times: 2 });
    expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
  },
);

test('the WeChat adapter reports a bill file whose hash differs from the announced hash as unknown', async () => {
  await world.givenPayment();
  await world.outsider.tell('/__sandbox/settlement', { wrongHash: true });
  expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
});

test("the WeChat adapter reports a settlement as unknown when WeChat's answer that there is no bill (NO_STATEMENT_EXIST) is unsigned", async () => {
  await world.givenPayment();
  const body = JSON.stringify({ code: 'NO_STATEMENT_EXIST', message: '' });
  await world.fault(bill, 'other_answer', { status: 400, body, isUnsigned: true, times: 2 });
  expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
});

async function allLines() {
  const settled = await provider.settlement(period());
  if (settled.outcome !== 'ok') throw new Error(JSON.stringify(settled));
  return settled.lines;
}

/** The settlement lines without fees. */
async function linesOf() {
  return (await allLines()).filter(({ kind }) => kind !== 'fee');
}

const bigints = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
