import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { log } from '../../../platform/log.ts';
import type { PaymentProvider, Settlement } from '../psp.ts';
import { type Meddler, startMeddler } from '../test/meddler.ts';
import { openAt, type StripeWorld, silences, startStripeWorld } from '../test/stripe-world.ts';
import { isProviders } from './settlement.ts';

let world: StripeWorld;
let provider: PaymentProvider;
let meddler: Meddler;
/** An adapter connected through the proxy that changes replies. */
let proxied: PaymentProvider;
beforeAll(async () => {
  log.level = 'silent';
  world = await startStripeWorld();
  provider = world.provider;
  meddler = await startMeddler(world.outsider.url);
  proxied = openAt(meddler.url);
});
beforeEach(() => world.outsider.tell('/__sandbox/reset', {}));
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await meddler.stop();
  await world.outsider.stop();
});

const begin = 'POST /v1/reporting/report_runs';
const ask = 'GET /v1/reporting/report_runs/:id';
const fetchFile = 'GET /v1/files/:id/contents';

// Each test has its own period, because Stripe answers the same period with the same report.
let fromSeconds = Math.floor(Date.now() / 1000) - 3600;
function givenPeriod() {
  fromSeconds -= 1;
  const from = new Date(fromSeconds * 1000);
  return { from, until: new Date(from.getTime() + 7_200_000) };
}
type Period = ReturnType<typeof givenPeriod>;

async function begun(period: Period, asked = provider): Promise<string> {
  const settlement = await asked.settlement({ ...period, reportId: null });
  if (settlement.outcome !== 'not_ready') throw new Error(JSON.stringify(settlement));
  return settlement.reportId;
}

/** Polls until the settlement is no longer `not_ready`. */
async function settled(period: Period, begunId?: string): Promise<Settlement> {
  let reportId = begunId ?? (await begun(period));
  return await vi.waitFor(async () => {
    const settlement = await provider.settlement({ ...period, reportId });
    if (settlement.outcome !== 'not_ready') return settlement;
    ({ reportId } = settlement);
    throw new Error('still not ready');
  }, 60_000);
}

/** The id of a report that Stripe has finished writing. */
async function ready(period: Period): Promise<string> {
  const reportId = await begun(period);
  expect(await settled(period, reportId)).toMatchObject({ outcome: 'ok' });
  return reportId;
}

async function linesAbout(captureId: string, period = givenPeriod()) {
  const settlement = await settled(period);
  if (settlement.outcome !== 'ok') throw new Error(JSON.stringify(settlement));
  return settlement.lines.filter((line) => line.captureId === captureId);
}

const usd = (amountMinor: bigint) => ({ amountMinor, currency: 'USD' });

describe('Stripe settlement lines', () => {
  test('the Stripe adapter’s settlement has the capture and the fee of a payment', async () => {
    const { captureId, money } = await world.givenPayment();
    const lines = await linesAbout(captureId);
    expect(lines).toEqual([
      {
        lineId: expect.stringMatching(/^txn_/),
        kind: 'capture',
        subjectId: captureId,
        captureId,
        money,
        at: expect.any(Date),
      },
      expect.objectContaining({ kind: 'fee', captureId, money: usd(-44n) }),
    ]);
    expect(Math.abs(Date.now() - Number(lines[0]?.at))).toBeLessThan(60_000);
  });

  test('the Stripe adapter’s settlement has refunds made by the shop and outside it, and the returned money of a failed refund', async () => {
    const { captureId, refundRequest } = await world.givenPayment();
    const request = refundRequest({ money: { amountMinor: 200n, currency: 'USD' } });
    await provider.refund(request);
    await world.post('/v1/refunds', { payment_intent: captureId, amount: '30' });
    const { refunds } = await world.records();
    const theirs = refunds.find(({ payment_intent }) => payment_intent === captureId)?.id;
    await world.outsider.tell(`/__sandbox/refunds/${theirs}/settle`, { status: 'failed' });

    const lines = await linesAbout(captureId);
    expect(lines.filter(({ kind }) => kind === 'refund')).toMatchObject([
      { subjectId: request.refundId, money: usd(-200n) },
      { subjectId: theirs, money: usd(-30n) },
      { subjectId: theirs, money: usd(30n) },
    ]);
  });

  test('the Stripe adapter’s settlement has the money that a dispute takes and the money returned when the dispute is won', async () => {
    const { captureId } = await world.givenPayment();
    const { id } = z.looseObject({ id: z.string() }).parse(
      await world.outsider.tell('/__sandbox/disputes', {
        paymentIntent: captureId,
        stage: 'open',
      }),
    );
    await world.outsider.tell(`/__sandbox/disputes/${id}`, { stage: 'won' });
    const lines = await linesAbout(captureId);
    expect(lines.filter(({ kind }) => kind === 'dispute')).toMatchObject([
      { subjectId: id, money: usd(-499n) },
      { subjectId: id, money: usd(499n) },
    ]);
  });

  test('the Stripe adapter’s settlement has the dispute fee as a separate line', async () => {
    const { captureId } = await world.givenPayment();
    await world.outsider.tell('/__sandbox/disputes', { paymentIntent: captureId, stage: 'open' });
    const lines = await linesAbout(captureId);
    expect(lines.filter(({ kind }) => kind === 'dispute_fee')).toMatchObject([
      { money: usd(-1500n) },
    ]);
  });

  test('the Stripe adapter’s settlement has payouts, returned payouts, deposits and account fees without a capture', async () => {
    const tell = (path: string, body: object) => world.outsider.tell(`/__sandbox/${path}`, body);
    const { id } = Object(await tell('payouts', { currency: 'USD', amount: 321 }));
    await tell(`payouts/${id}/return`, {});
    await tell('payouts', { currency: 'USD', amount: -55 });
    await tell('fees', { currency: 'USD', amount: 99 });
    const period = givenPeriod();
    const settlement = await settled(period);
    const lines = settlement.outcome === 'ok' ? settlement.lines : [];
    const ofAccount = lines.filter((line) => line.captureId === null);
    expect(ofAccount.map(({ kind, money }) => [kind, money.amountMinor])).toEqual([
      ['fee', -99n],
      ['payout', 55n],
      ['payout', -321n],
      ['payout', 321n],
    ]);
    expect(ofAccount.filter(({ subjectId }) => subjectId === id)).toHaveLength(2);
  });

  test('the Stripe adapter reports a settlement as unknown when payouts cannot be listed', async () => {
    const period = givenPeriod();
    const reportId = await ready(period);
    for (const kind of ['http500_before', 'json404_without_error']) {
      await world.outsider.tell('/__sandbox/faults', {
        match: 'GET /v1/balance_transactions',
        kind,
        times: 9,
      });
      expect(await provider.settlement({ ...period, reportId })).toMatchObject({
        outcome: 'unknown',
      });
    }
  });

  test('the Stripe adapter’s settlement has exact amounts in JPY, EUR, TWD and VND', async () => {
    for (const currency of ['JPY', 'EUR', 'TWD', 'VND'] as const) {
      const money = { amountMinor: 64_805n, currency };
      const { captureId } = await world.givenPayment({ money });
      const [line] = await linesAbout(captureId);
      expect(line).toMatchObject({ money });
    }
  });

  test('the Stripe adapter’s settlement period includes its first second and excludes its end', async () => {
    const { captureId } = await world.givenPayment();
    const [line] = await linesAbout(captureId);
    const at = Number(line?.at);
    const within = { from: new Date(at), until: new Date(at + 1000) };
    expect(await linesAbout(captureId, within)).toHaveLength(2);
    const before = { from: new Date(at - 1000), until: new Date(at) };
    expect(await linesAbout(captureId, before)).toEqual([]);
  });

  test('the Stripe adapter returns a line of Stripe’s settlement report unchanged, even if no payment explains the line', async () => {
    const { captureId } = await world.givenPayment();
    await world.outsider.tell('/__sandbox/settlement', {
      invent: [{ id: 'txn_odd', amount: 5, currency: 'usd', paymentIntentId: captureId }],
    });
    expect(await linesAbout(captureId)).toContainEqual(
      expect.objectContaining({ lineId: 'txn_odd', money: usd(5n) }),
    );
  });
});

describe('Stripe settlement reports', () => {
  test('the Stripe adapter reports a settlement as not_ready until Stripe has written the report', async () => {
    const period = givenPeriod();
    await world.outsider.tell('/__sandbox/reports', { outcome: 'pending' });
    const reportId = await begun(period);
    for (let tries = 0; tries < 3; tries += 1) {
      const settlement = await provider.settlement({ ...period, reportId });
      expect(settlement).toEqual({ outcome: 'not_ready', reportId });
    }
    await world.outsider.tell('/__sandbox/reports', { outcome: 'succeeded' });
    expect(await settled(period, reportId)).toMatchObject({ outcome: 'ok' });
  });

  test('the Stripe adapter fetches a finished settlement report again with the same result', async () => {
    const period = givenPeriod();
    const reportId = await ready(period);
    const first = await provider.settlement({ ...period, reportId });
    expect(first).toMatchObject({ outcome: 'ok' });
    expect(await provider.settlement({ ...period, reportId })).toEqual(first);
  });

  test('the Stripe adapter creates one settlement report per period, however often it is requested', async () => {
    const period = givenPeriod();
    const reportId = await begun(period);
    expect(await begun(period)).toBe(reportId);
    const until = new Date(period.until.getTime() + 1000);
    expect(await begun({ ...period, until })).not.toBe(reportId);
    const from = new Date(period.from.getTime() - 1000);
    expect(await begun({ ...period, from })).not.toBe(reportId);
  });

  test('the Stripe adapter requests a failed settlement report again, once per failure', async () => {
    const period = givenPeriod();
    await world.outsider.tell('/__sandbox/reports', { outcome: 'failed' });
    const reportId = await begun(period);
    const still = { outcome: 'not_ready', reportId };
    expect(await provider.settlement({ ...period, reportId })).toEqual(still);
    const next = await provider.settlement({ ...period, reportId });
    expect(next).toEqual({ outcome: 'not_ready', reportId: expect.not.stringMatching(reportId) });
    expect(await provider.settlement({ ...period, reportId })).toEqual(next);

    await world.outsider.tell('/__sandbox/reports', { outcome: 'succeeded' });
    if (next.outcome !== 'not_ready') throw new Error('the new report is ready too early');
    expect(await settled(period, next.reportId)).toMatchObject({ outcome: 'ok' });
  });

  test('the Stripe adapter requests a settlement report that failed without a reason again', async () => {
    const period = givenPeriod();
    const reportId = await begun(period);
    meddler.change(`GET /v1/reporting/report_runs/${reportId}`, { status: 'failed' });
    const next = await proxied.settlement({ ...period, reportId });
    expect(next).toEqual({ outcome: 'not_ready', reportId: expect.not.stringMatching(reportId) });
    meddler.verify();
  });

  test('the Stripe adapter requests a settlement report that no longer exists again', async () => {
    const period = givenPeriod();
    const settlement = await provider.settlement({ ...period, reportId: 'frr_lost' });
    expect(settlement).toEqual({
      outcome: 'not_ready',
      reportId: expect.not.stringMatching('frr_lost'),
    });
  });

  test('the Stripe adapter reports a settlement without available data as unknown, and can fetch it later', async () => {
    const period = givenPeriod();
    const availableUntil = period.until.getTime() / 1000 - 1;
    await world.outsider.tell('/__sandbox/reports', { availableUntil });
    expect(await provider.settlement({ ...period, reportId: null })).toEqual({
      outcome: 'unknown',
      cause: expect.stringContaining('parameters[interval_end]'),
    });
    await world.outsider.tell('/__sandbox/reports', { availableUntil: null });
    expect(await settled(period)).toMatchObject({ outcome: 'ok' });
  });

  test('the Stripe adapter reports a settlement as unknown when Stripe returns the report of another period', async () => {
    const reportId = await ready(givenPeriod());
    expect(await provider.settlement({ ...givenPeriod(), reportId })).toMatchObject({
      outcome: 'unknown',
      cause: expect.stringContaining('another period'),
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['with another start', { 'parameters.interval_start': 1 }],
    ['with another end', { 'parameters.interval_end': 1 }],
    ['of another type', { report_type: 'balance.summary.1' }],
    ['in an unknown status', { status: 'sleeping' }],
    ['without a file', { result: null }],
    ['with a result that is not a file', { 'result.object': 'link' }],
    ['without a file URL', { 'result.url': null }],
    ['without a file size', { 'result.size': null }],
    ['with a malformed id', { id: 'run_1' }],
    ['with another object type', { object: 'file' }],
    ['whose file has another size', { 'result.size': 1 }],
    ['whose file is on another host', { 'result.url': 'https://files.stripe.com.example/x' }],
  ])(
    'the Stripe adapter reports a settlement as unknown when Stripe returns a report %s',
    async (_what, changes) => {
      const period = givenPeriod();
      const reportId = await ready(period);
      // The file itself can be fetched, so only the change under test makes the report unknown.
      const path = `GET /v1/reporting/report_runs/${reportId}`;
      meddler.change(path, {
        'result.url': await fileThroughMeddler(period, reportId),
        ...changes,
      });
      expect(await proxied.settlement({ ...period, reportId })).toMatchObject({
        outcome: 'unknown',
      });
      meddler.verify();
    },
  );

  test("the test proxy that alters Stripe's answers in settlement tests leaves a settlement report readable when told to alter nothing", async () => {
    const period = givenPeriod();
    const reportId = await ready(period);
    const path = `GET /v1/reporting/report_runs/${reportId}`;
    meddler.change(path, { 'result.url': await fileThroughMeddler(period, reportId) });
    expect(await proxied.settlement({ ...period, reportId })).toMatchObject({ outcome: 'ok' });
    meddler.verify();
  });

  test.each(silences)(
    'the Stripe adapter reports a request for a settlement report answered by %s as unknown, and its retry creates one report',
    async (_what, kind, more) => {
      const period = givenPeriod();
      await world.fault(begin, kind, { ...more, stored: false });
      const unknown = await provider.settlement({ ...period, reportId: null });
      expect(unknown).toMatchObject({ outcome: 'unknown' });
      const reportId = await begun(period);
      expect(await begun(period)).toBe(reportId);
    },
  );

  test.each(silences)(
    'the Stripe adapter reports a settlement as unknown when its status query is answered by %s',
    async (...silence) => {
      const [, kind, more] = silence;
      const period = givenPeriod();
      const reportId = await ready(period);
      await world.fault(ask, kind, more);
      expect(await provider.settlement({ ...period, reportId })).toMatchObject({
        outcome: 'unknown',
      });
      expect(await provider.settlement({ ...period, reportId })).toMatchObject({ outcome: 'ok' });
    },
  );

  test.each(silences)(
    'the Stripe adapter reports a settlement as unknown when its file download is answered by %s',
    async (...silence) => {
      const [, kind, more] = silence;
      const period = givenPeriod();
      const reportId = await ready(period);
      await world.fault(fetchFile, kind, more);
      expect(await provider.settlement({ ...period, reportId })).toMatchObject({
        outcome: 'unknown',
      });
    },
  );

  test('the Stripe adapter names the HTTP status in its error about a failed download of a settlement report', async () => {
    const period = givenPeriod();
    const reportId = await ready(period);
    await world.fault(fetchFile, 'http500_before');
    expect(await provider.settlement({ ...period, reportId })).toEqual({
      outcome: 'unknown',
      cause: expect.stringMatching(/^HTTP 500 for /),
    });
  });

  // The file exists and the API key is valid; only the host is not Stripe's.
  test("the Stripe adapter does not fetch a settlement report from a host other than Stripe's, which would receive the API key", async () => {
    const period = givenPeriod();
    const reportId = await ready(period);
    expect(await proxied.settlement({ ...period, reportId })).toEqual({
      outcome: 'unknown',
      cause: expect.stringMatching(`^a file at ${world.outsider.url}`),
    });
  });

  test('the Stripe adapter reports a settlement as unknown when its file does not arrive within 12 seconds', async () => {
    const period = givenPeriod();
    const reportId = await ready(period);
    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(500));
    await world.fault(fetchFile, 'hang', { hangMs: 3_000 });
    const settlement = await provider.settlement({ ...period, reportId });
    expect(settlement).toMatchObject({ outcome: 'unknown' });
    expect(timeout).toHaveBeenLastCalledWith(12_000);
  });

  test('the Stripe adapter reports a settlement requested with a bad API key as unknown', async () => {
    const period = givenPeriod();
    const reportId = await ready(period);
    const stranger = openAt(world.outsider.url, 'sk_wrong');
    expect(await stranger.settlement({ ...period, reportId })).toMatchObject({
      outcome: 'unknown',
    });
  });

  test('the Stripe adapter names the unreadable line of a settlement file in its error and reports the settlement as unknown', async () => {
    await world.outsider.tell('/__sandbox/settlement', {
      invent: [{ amount: 5, currency: 'xxx', paymentIntentId: 'pi_1' }],
    });
    expect(await settled(givenPeriod())).toMatchObject({
      outcome: 'unknown',
      cause: expect.stringMatching(/^a report that cannot be read: line \d+$/),
    });
  });

  async function fileThroughMeddler(period: Period, reportId: string): Promise<string> {
    await provider.settlement({ ...period, reportId });
    const reply = await fetch(`${world.outsider.url}/v1/reporting/report_runs/${reportId}`, {
      headers: { authorization: 'Bearer sk_test' },
    });
    const { result } = z.object({ result: z.object({ url: z.url() }) }).parse(await reply.json());
    return meddler.url + new URL(result.url).pathname;
  }
});

test.each<[string, string | undefined, boolean]>([
  ['https://files.stripe.com/v1/files/file_1/contents', undefined, true],
  ['https://api.stripe.com/v1/files/file_1/contents', undefined, true],
  ['https://files.stripe.com:444/v1/files/file_1/contents', undefined, false],
  ['http://files.stripe.com/v1/files/file_1/contents', undefined, false],
  ['https://files.stripe.com.example/v1/files/file_1/contents', undefined, false],
  ['https://files.stripe.com@example.com/v1/files/file_1/contents', undefined, false],
  ['http://127.0.0.1:4242/v1/files/file_1/contents', undefined, false],
  ['http://127.0.0.1:4242/v1/files/file_1/contents', 'http://127.0.0.1:4242', true],
  ['http://127.0.0.1:4242/v1/files/file_1/contents', 'http://127.0.0.1:4242/', true],
  ['http://127.0.0.1:4243/v1/files/file_1/contents', 'http://127.0.0.1:4242', false],
  ['https://files.stripe.com/v1/files/file_1/contents', 'http://127.0.0.1:4242', false],
])(
  'the check of which URLs may receive the Stripe API key decides for %s with the API base %s: %s',
  (url, apiBase, expected) => {
    expect(isProviders(url, apiBase)).toBe(expected);
  },
);
