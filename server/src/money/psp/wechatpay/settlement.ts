import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { beijingDays } from '../beijing-time.ts';
import type { Settlement, SettlementLine } from '../psp.ts';
import { misshapen, type Unknown } from '../replies.ts';
import { readFundBill } from './balance-lines.ts';
import type { Client } from './client.ts';
import type { WechatpayOptions } from './options.ts';
import { readBill } from './settlement-lines.ts';

const daysMax = 40;
const billBytesMax = 512 * 1024 * 1024;

const BillLink = z.object({
  hash_type: z.literal('SHA1'),
  hash_value: z.string().regex(/^[0-9a-f]{40}$/i),
  download_url: z.url(),
});

/**
 * The settlement of a period. For each day in Beijing time WeChat writes a bill of trades and a bill of all
 * balance entries.
 */
export async function settlement(
  client: Client,
  options: WechatpayOptions,
  period: { from: Date; until: Date },
): Promise<Settlement> {
  const { from, until } = period;
  const days = beijingDays(period, daysMax);
  if (days === undefined) return { outcome: 'unknown', cause: `more than ${daysMax} days at once` };
  const lines: SettlementLine[] = [];
  for (const day of days) {
    const trades = await tradesOf(client, options, day);
    if (trades.outcome !== 'ok') return trades;
    const funds = await fundsOf(client, day, trades.lines);
    if (funds.outcome !== 'ok') return funds;
    const all = [...trades.lines, ...funds.lines];
    lines.push(...all.filter(({ at }) => at >= from && at < until));
  }
  return { outcome: 'ok', lines };
}

async function tradesOf(
  client: Client,
  options: WechatpayOptions,
  day: string,
): Promise<Settlement> {
  const query = { bill_date: day, bill_type: 'ALL', tar_type: 'GZIP' };
  const bill = await billOf(client, { path: 'v3/bill/tradebill', query, day });
  if (bill.outcome !== 'ok') return bill;
  return bill.text === undefined
    ? { outcome: 'ok', lines: [] }
    : readBill(bill.text, options.mchId);
}

/** A returned fee names its refund; the trade bill has the payment of that refund. */
async function fundsOf(
  client: Client,
  day: string,
  trades: readonly SettlementLine[],
): Promise<Settlement> {
  const query = { bill_date: day, account_type: 'BASIC', tar_type: 'GZIP' };
  const bill = await billOf(client, { path: 'v3/bill/fundflowbill', query, day });
  if (bill.outcome !== 'ok') return bill;
  if (bill.text === undefined) return { outcome: 'ok', lines: [] };
  const payments = new Map(trades.map(({ lineId, captureId }) => [lineId, captureId ?? undefined]));
  return readFundBill(bill.text, (id) => payments.get(id));
}

type Bill = Exclude<Settlement, { outcome: 'ok' }> | { outcome: 'ok'; text: string | undefined };

/** The text of a bill; a day without trades has no bill. */
async function billOf(
  client: Client,
  { path, query, day }: { path: string; query: Record<string, string>; day: string },
): Promise<Bill> {
  const reply = await client.ask({ method: 'GET', path, query });
  if (reply.outcome === 'unknown') return { outcome: 'unknown', cause: reply.cause };
  if (reply.outcome === 'refused') {
    if (reply.code === 'NO_STATEMENT_EXIST') return { outcome: 'ok', text: undefined };
    if (reply.code === 'STATEMENT_CREATING') return { outcome: 'not_ready', reportId: day };
    return { outcome: 'unknown', cause: `${reply.code} for ${day}` };
  }
  const link = BillLink.safeParse(reply.value);
  return link.success ? await download(client, link.data) : misshapen('bill', link.error);
}

/** The file is not signed, but the hash of its content is. */
async function download(
  client: Client,
  { download_url, hash_value }: z.output<typeof BillLink>,
): Promise<{ outcome: 'ok'; text: string } | Unknown> {
  // Only the path of the URL is used, so the download always goes to WeChat's API host.
  const { pathname, searchParams } = new URL(download_url);
  const reply = await client.download({
    method: 'GET',
    path: pathname.slice(1),
    query: Object.fromEntries(searchParams),
  });
  if (reply.outcome !== 'ok' || !Buffer.isBuffer(reply.value)) {
    return { outcome: 'unknown', cause: 'no file' };
  }
  const inside = await unpacked(reply.value);
  if (inside === undefined) return { outcome: 'unknown', cause: 'a file that is not compressed' };
  const hash = createHash('sha1').update(inside).digest('hex');
  return hash === hash_value.toLowerCase()
    ? { outcome: 'ok', text: inside.toString('utf8') }
    : { outcome: 'unknown', cause: 'a file with another hash than announced' };
}

async function unpacked(file: Buffer): Promise<Buffer | undefined> {
  try {
    return await promisify(gunzip)(file, { maxOutputLength: billBytesMax });
  } catch {
    return undefined;
  }
}
