import { z } from 'zod';
import type { Settlement, SettlementLine } from '../psp.ts';
import { misshapen } from '../replies.ts';
import { readAccountBill } from './account-lines.ts';
import { readBill } from './bill-lines.ts';
import type { Client } from './client.ts';
import type { AlipayOptions } from './options.ts';
import { beijingTime } from './sdk.ts';
import { unzip } from './zip.ts';

const dayMs = 24 * 3600_000;
const daysMax = 40;
/** A day without trades has no bill; so has one whose bill is late. After a day it was the former. */
const waitMs = dayMs;

const Bill = z.object({ bill_download_url: z.url({ protocol: /^https?$/ }) });

/**
 * Alipay's books of a period: for each day of its own calendar it writes a bill of what was paid, and one of
 * all that moved the account.
 */
export async function settlement(
  client: Client,
  options: AlipayOptions,
  { from, until }: { from: Date; until: Date },
): Promise<Settlement> {
  const days = daysOf(from, until);
  if (days.length > daysMax) return { outcome: 'unknown', cause: `${days.length} days at once` };
  const lines: SettlementLine[] = [];
  for (const day of days) {
    for (const type of ['trade', 'signcustomer'] as const) {
      const bill = await billOf(client, options, { day, type });
      if (bill.outcome !== 'ok') return bill;
      lines.push(...bill.lines.filter(({ at }) => at >= from && at < until));
    }
  }
  return { outcome: 'ok', lines };
}

/** The days in Beijing that have a part of the period. */
function daysOf(from: Date, until: Date): string[] {
  const days: string[] = [];
  let day = beijingTime(from).slice(0, 10);
  while (startOf(day) < until.getTime() && days.length <= daysMax) {
    days.push(day);
    day = beijingTime(new Date(startOf(day) + dayMs)).slice(0, 10);
  }
  return days;
}

async function billOf(
  client: Client,
  options: AlipayOptions,
  { day, type }: { day: string; type: 'trade' | 'signcustomer' },
): Promise<Settlement> {
  const reply = await client.ask('alipay.data.dataservice.bill.downloadurl.query', {
    bill_type: type,
    bill_date: day,
  });
  if (reply.outcome === 'unknown') return reply;
  if (reply.outcome === 'refused') {
    if (!/bill_not_exist/i.test(reply.code)) {
      return { outcome: 'unknown', cause: `${reply.code} for ${day}` };
    }
    const isOver = Date.now() >= startOf(day) + dayMs + waitMs;
    return isOver ? { outcome: 'ok', lines: [] } : { outcome: 'not_ready', reportId: day };
  }
  const bill = Bill.safeParse(reply.value);
  if (!bill.success) return misshapen('bill', bill.error);
  const address = addressOf(options, bill.data.bill_download_url);
  if (address === undefined) return { outcome: 'unknown', cause: 'a bill at another place' };
  const file = await client.download(address);
  const text = file === undefined ? undefined : detailsIn(file);
  if (text === undefined) return { outcome: 'unknown', cause: 'a file that is no bill' };
  const read = type === 'trade' ? readBill : readAccountBill;
  return read(text, options.sellerId);
}

/** Only at Alipay's own, and only over TLS; the sandbox's file is where its gateway is. */
function addressOf({ gateway }: AlipayOptions, told: string): string | undefined {
  const { hostname, port, pathname, search } = new URL(told);
  if (gateway !== undefined) return new URL(pathname + search, gateway).href;
  if (port !== '' || !/(^|\.)alipay\.com$/.test(hostname)) return undefined;
  return `https://${hostname}${pathname}${search}`;
}

/** Of the two files inside, the one that does not only sum up. Names and texts are in GBK. */
function detailsIn(file: Uint8Array): string | undefined {
  const decoder = new TextDecoder('gbk');
  const details = (unzip(file) ?? []).filter(({ name }) => {
    const text = decoder.decode(name);
    return text.endsWith('.csv') && !text.includes('汇总');
  });
  const [only, another] = details;
  return only === undefined || another !== undefined ? undefined : decoder.decode(only.bytes);
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00+08:00`);
}
