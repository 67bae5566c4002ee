import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider } from '../psp.ts';
import { type AlipayWorld, startAlipayWorld } from '../test/alipay-world.ts';

let world: AlipayWorld;
let provider: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startAlipayWorld();
  provider = world.provider;
});
beforeEach(async () => {
  await world.outsider.tell('/__sandbox/reset', {});
  await world.outsider.tell('/__sandbox/bills', { outcome: 'ready' });
});
afterAll(() => world.outsider.stop());

const bill = 'alipay.data.dataservice.bill.downloadurl.query';
const dayMs = 24 * 3600_000;
const beijingMs = 8 * 3600_000;
const today = () => Math.floor((Date.now() + beijingMs) / dayMs) * dayMs - beijingMs;
/** Today in Beijing time. */
const period = () => {
  const from = today();
  return { from: new Date(from), until: new Date(from + dayMs), reportId: null };
};

test('the Alipay adapter’s settlement has one line per payment and refund with its exact amount and time', async () => {
  const { captureId, refundRequest, request } = await world.givenPayment({
    description: '60 星辉碎片, “shards”',
  });
  const back = refundRequest({ money: { amountMinor: 123n, currency: 'CNY' } });
  await provider.refund(back);
  await world.outsider.tell(`/__sandbox/charges/${captureId}/refund`, { amount: 1 });

  const lines = await linesOf(captureId);
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
    lineId: `${captureId}:${back.refundId}`,
    subjectId: back.refundId,
    money: { amountMinor: -123n, currency: 'CNY' },
  });
  expect(theirs).toMatchObject({ kind: 'refund', money: { amountMinor: -1n } });
  expect(Math.abs((paid?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});

test('the Alipay adapter’s settlement has payment fees, fees returned with a refund and account fees as fee lines', async () => {
  const { captureId, refundRequest } = await world.givenPayment();
  await provider.refund(refundRequest({ money: { amountMinor: 1000n, currency: 'CNY' } }));
  await world.outsider.tell('/__sandbox/fees', { currency: 'CNY', amount: 30 });
  const lines = await allLines();
  const fees = lines.filter(({ kind }) => kind === 'fee');
  expect(fees.filter((line) => line.captureId === captureId)).toMatchObject([
    { money: { amountMinor: -389n, currency: 'CNY' } },
    { money: { amountMinor: 6n, currency: 'CNY' } },
  ]);
  expect(fees.filter((line) => line.captureId === null)).toMatchObject([
    { money: { amountMinor: -30n } },
  ]);
  expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(lines.length);
});

test('the Alipay adapter’s settlement has withdrawals, returned withdrawals and deposits as payout lines', async () => {
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

test('the Alipay adapter’s settlement leaves out lines before and after the period', async () => {
  const { captureId } = await world.givenPayment();
  for (const changes of [
    { until: new Date(Date.now() - 60_000) },
    { from: new Date(Date.now() + 60_000) },
  ]) {
    const found = await provider.settlement({ ...period(), ...changes });
    if (found.outcome !== 'ok') throw new Error(found.outcome);
    expect(found.lines.filter((line) => line.captureId === captureId)).toEqual([]);
  }
});

test('the Alipay adapter’s settlement has no line for a refund that is still pending', async () => {
  const { captureId, refundRequest } = await world.givenPayment();
  await world.outsider.tell('/__sandbox/refunds', { next: 'pending' });
  await provider.refund(refundRequest());
  expect(await linesOf(captureId)).toMatchObject([{ kind: 'capture' }]);
});

test('the Alipay adapter’s settlement is not_ready while Alipay is creating the bill', async () => {
  await world.outsider.tell('/__sandbox/bills', { outcome: 'creating' });
  expect(await provider.settlement(period())).toMatchObject({
    outcome: 'not_ready',
    reportId: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
});

test('the Alipay adapter reports no settlement lines for a day without a bill, once the day has been over for a day', async () => {
  const from = new Date(today() - 5 * dayMs);
  const until = new Date(today() - 3 * dayMs);
  expect(await provider.settlement({ from, until, reportId: null })).toEqual({
    outcome: 'ok',
    lines: [],
  });
});

test('the Alipay adapter reports a settlement period of a whole year as unknown', async () => {
  const from = new Date(today() - 365 * dayMs);
  expect(await provider.settlement({ ...period(), from })).toMatchObject({ outcome: 'unknown' });
});

test('the Alipay adapter returns exactly the lines of Alipay’s settlement bill, even if lines are missing, altered or invented there', async () => {
  const [left, wrong] = [await world.givenPayment(), await world.givenPayment()];
  await world.outsider.tell('/__sandbox/settlement', {
    omit: [left.captureId],
    alter: { [wrong.captureId]: 1 },
    invent: [{ amount: 700, outTradeNo: 'invented', tradeNo: '2026111522001777777777777777' }],
  });
  expect(await linesOf(left.captureId)).toEqual([]);
  expect(await linesOf(wrong.captureId)).toMatchObject([{ money: { amountMinor: 1n } }]);
  expect(await linesOf('2026111522001777777777777777')).toMatchObject([
    { kind: 'capture', money: { amountMinor: 700n } },
  ]);
});

test('the Alipay adapter reports a bill whose totals do not match its lines as unknown', async () => {
  await world.givenPayment();
  await world.outsider.tell('/__sandbox/settlement', { wrongSums: true });
  expect(await provider.settlement(period())).toMatchObject({
    outcome: 'unknown',
    cause: expect.stringContaining('number of lines'),
  });
});

test.each(['truncated', 'html_200', 'http500_before', 'cut_before'])(
  'the Alipay adapter reports a settlement as unknown after the fault %s in the download of the bill file',
  async (kind) => {
    await world.givenPayment();
    await world.fault('download', kind);
    expect(await provider.settlement(period())).toMatchObject({
      outcome: 'unknown',
      cause: 'a file that is not a bill',
    });
  },
);

test.each(['bad_signature', 'unsigned', 'unavailable', 'cut_before'])(
  'the Alipay adapter reports a bill as unknown after the fault %s in the request for its download URL',
  async (kind) => {
    await world.givenPayment();
    await world.fault(bill, kind);
    expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
  },
);

test('the Alipay adapter reports a bill request refused for another reason or without a valid URL as unknown', async () => {
  const refusal = '{"code":"40004","sub_code":"isv.invalid-arguments"}';
  for (const body of [
    refusal,
    '{"code":"10000"}',
    '{"code":"10000","bill_download_url":"file:///x"}',
  ]) {
    await world.fault(bill, 'other_answer', { body });
    expect(await provider.settlement(period())).toMatchObject({ outcome: 'unknown' });
  }
});

async function allLines() {
  const found = await provider.settlement(period());
  if (found.outcome !== 'ok') throw new Error(JSON.stringify(found));
  return found.lines;
}

/** The lines of a capture without its fees. */
async function linesOf(captureId: string) {
  const lines = await allLines();
  return lines.filter((line) => line.captureId === captureId && line.kind !== 'fee');
}
