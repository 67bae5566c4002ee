import type Stripe from 'stripe';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../../../platform/outbound.ts';
import type { Settlement } from '../psp.ts';
import { type Known, misshapen } from '../replies.ts';
import { payoutsBetween } from './balance-lines.ts';
import { failureOf, timeoutMs } from './client.ts';
import type { StripeOptions } from './options.ts';
import { readLines, reportColumns } from './settlement-lines.ts';

// Some 400,000 lines.
const fileBytesMax = 64 * 1024 * 1024;

const reportType = 'balance_change_from_activity.itemized.3';

const Run = z.object({
  object: z.literal('reporting.report_run'),
  id: z.string().startsWith('frr_'),
  report_type: z.literal(reportType),
  parameters: z.object({ interval_start: z.int(), interval_end: z.int() }),
  status: z.enum(['pending', 'succeeded', 'failed']),
  result: z.object({ object: z.literal('file'), size: z.int(), url: z.url() }).nullable(),
});
type Run = z.output<typeof Run>;

interface Interval {
  interval_start: number;
  /** Exclusive. */
  interval_end: number;
}

/** Creates Stripe's report of a period, or fetches a report that was created before. */
export async function settlement(
  stripe: Stripe,
  options: StripeOptions,
  period: { from: Date; until: Date; reportId: string | null },
): Promise<Settlement> {
  const interval = {
    interval_start: Math.floor(period.from.getTime() / 1000),
    interval_end: Math.floor(period.until.getTime() / 1000),
  };
  const run =
    period.reportId === null
      ? await beginRun(stripe, interval)
      : await findRun(stripe, interval, period.reportId);
  if (run.outcome === 'unknown') return run;
  const { status, result, id } = run.value;
  if (status === 'pending') return { outcome: 'not_ready', reportId: id };
  if (status === 'failed' || result === null) {
    return { outcome: 'unknown', cause: `report ${id} ${status} without a file` };
  }
  const csv = await download(options, result);
  if (csv.outcome === 'unknown') return csv;
  const lines = readLines(csv.value);
  if (lines.outcome === 'unknown') return lines;
  const payouts = await payoutsBetween(stripe, interval);
  if (payouts.outcome === 'unknown') return payouts;
  return { outcome: 'ok', lines: [...lines.lines, ...payouts.value] };
}

/** Idempotent: Stripe answers a repeated create with the first report run, as it was then. */
async function beginRun(
  stripe: Stripe,
  interval: Interval,
  failedId?: string,
): Promise<Known<Run>> {
  const key = `settlement-${interval.interval_start}-${interval.interval_end}`;
  try {
    const reply = await stripe.reporting.reportRuns.create(
      { report_type: reportType, parameters: { ...interval, columns: [...reportColumns] } },
      { idempotencyKey: failedId === undefined ? key : `${key}-after-${failedId}` },
    );
    return readRun(reply, interval);
  } catch (error) {
    const { code, param } = failureOf(error);
    return { outcome: 'unknown', cause: param === undefined ? code : `${code} ${param}` };
  }
}

/** The report run, or a new one if it failed. */
async function findRun(stripe: Stripe, interval: Interval, reportId: string): Promise<Known<Run>> {
  const run = await retrieveRun(stripe, interval, reportId);
  return run === 'failed' ? await beginRun(stripe, interval, reportId) : run;
}

async function retrieveRun(
  stripe: Stripe,
  interval: Interval,
  reportId: string,
): Promise<Known<Run> | 'failed'> {
  try {
    const run = readRun(await stripe.reporting.reportRuns.retrieve(reportId), interval);
    return run.outcome === 'ok' && run.value.status === 'failed' ? 'failed' : run;
  } catch (error) {
    const { status, code } = failureOf(error);
    // The SDK mistakes the `error` field of a failed report run for an error of the call.
    if (status === 200 || status === 404) return 'failed';
    return { outcome: 'unknown', cause: code };
  }
}

function readRun(reply: unknown, { interval_start, interval_end }: Interval): Known<Run> {
  const run = Run.safeParse(reply);
  if (!run.success) return misshapen('report run', run.error);
  const { parameters } = run.data;
  const isAsked =
    parameters.interval_start === interval_start && parameters.interval_end === interval_end;
  return isAsked
    ? { outcome: 'ok', value: run.data }
    : { outcome: 'unknown', cause: `report ${run.data.id} is about another period` };
}

async function download(
  options: StripeOptions,
  { url, size }: { url: string; size: number },
): Promise<Known<string>> {
  // The download sends the API key, so it goes to Stripe's hosts only, whatever URL the reply has.
  if (!isProviders(url, options.apiBase)) return { outcome: 'unknown', cause: `a file at ${url}` };
  try {
    const headers = { authorization: `Bearer ${options.secretKey}` };
    const { status, body } = await callOut({
      url,
      method: 'GET',
      headers,
      timeoutMs,
      replyBytesMax: fileBytesMax,
    });
    if (status !== 200) return { outcome: 'unknown', cause: `HTTP ${status} for ${url}` };
    if (body.byteLength !== size)
      return { outcome: 'unknown', cause: `a file of another size than announced at ${url}` };
    return { outcome: 'ok', value: new TextDecoder().decode(body) };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { outcome: 'unknown', cause: error.message };
  }
}

/** Whether a URL is on Stripe's hosts, or on the sandbox that replaces them. */
export function isProviders(url: string, apiBase: string | undefined): boolean {
  const homes =
    apiBase === undefined ? ['https://files.stripe.com', 'https://api.stripe.com'] : [apiBase];
  return homes.some((home) => new URL(home).origin === new URL(url).origin);
}
