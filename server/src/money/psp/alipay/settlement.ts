import { z } from 'zod';
import { beijingDays, endOfBeijingDay } from '../beijing-time.ts';
import type { Settlement, SettlementLine } from '../psp.ts';
import { misshapen } from '../replies.ts';
import { unzip } from '../zip.ts';
import { readAccountBill } from './balance-lines.ts';
import type { Client } from './client.ts';
import type { AlipayOptions } from './options.ts';
import { readBill } from './settlement-lines.ts';

const daysMax = 40;
/** A missing bill may be late or mean no trades; after this wait it counts as no trades. */
const waitMs = 24 * 3600_000;

const Bill = z.object({ bill_download_url: z.url({ protocol: /^https?$/ }) });

/**
 * The settlement of a period. For each day in Beijing time Alipay writes a bill of trades and a bill of all
 * account entries.
 */
export async function settlement(
  client: Client,
  options: AlipayOptions,
  period: { from: Date; until: Date },
): Promise<Settlement> {
  const { from, until } = period;
  const days = beijingDays(period, daysMax);
  if (days === undefined) return { outcome: 'unknown', cause: `more than ${daysMax} days at once` };
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
    const isOver = Date.now() >= endOfBeijingDay(day) + waitMs;
    return isOver ? { outcome: 'ok', lines: [] } : { outcome: 'not_ready', reportId: day };
  }
  const bill = Bill.safeParse(reply.value);
  if (!bill.success) return misshapen('bill', bill.error);
  const address = addressOf(options, bill.data.bill_download_url);
  if (address === undefined) return { outcome: 'unknown', cause: 'a bill URL on another host' };
  const file = await client.download(address);
  const text = file === undefined ? undefined : detailsIn(file);
  if (text === undefined) return { outcome: 'unknown', cause: 'a file that is not a bill' };
  const read = type === 'trade' ? readBill : readAccountBill;
  return read(text, options.sellerId);
}

/** Allows only Alipay's hosts over TLS, or the sandbox's gateway host. */
function addressOf({ gateway }: AlipayOptions, told: string): string | undefined {
  const { hostname, port, pathname, search } = new URL(told);
  if (gateway !== undefined) return new URL(pathname + search, gateway).href;
  if (port !== '' || !/(^|\.)alipay\.com$/.test(hostname)) return undefined;
  return `https://${hostname}${pathname}${search}`;
}

/** The archive has a details file and a summary file; names and contents are in GBK. */
function detailsIn(file: Uint8Array): string | undefined {
  const decoder = new TextDecoder('gbk');
  const details = (unzip(file) ?? []).filter(({ name }) => {
    const text = decoder.decode(name);
    return text.endsWith('.csv') && !text.includes('汇总');
  });
  const [only, another] = details;
  return only === undefined || another !== undefined ? undefined : decoder.decode(only.bytes);
}
