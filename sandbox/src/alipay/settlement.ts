import { type BillDay, billDay } from '../platform/daily-bills.ts';
import { object, oneOf, optional, type Reader, ShapeError, text } from '../platform/shape.ts';
import { accountLines, accountSummary, accountText } from './balance-text.ts';
import { invalid, refused } from './failure.ts';
import { gbkBytes } from './gbk.ts';
import { newToken } from './ids.ts';
import type { WireObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { tradeLines } from './settlement-lines.ts';
import { detailText, summaryText } from './settlement-text.ts';
import { zipOf } from './zip.ts';

/** The hour of the next day, in Beijing, from which a bill is available. */
const readyAtHour = 9;
/** The lifetime of a download URL. */
const fileSeconds = 30;

const billBody = object({
  bill_type: oneOf(['trade', 'signcustomer']),
  bill_date: text,
  smid: optional(text),
});

/** Writes the bill of a day and answers a download URL that is valid for half a minute. */
export function billAnswer(provider: Provider, content: unknown): WireObject {
  const { bill_type, bill_date } = billBody(content, 'biz_content');
  const period = periodOf(provider, bill_date);
  const { settings, clock } = provider;
  const account = `${settings.sellerId}0156`;
  const { from, until } = period;
  const about = { account, from, until, now: clock.nowSeconds() };
  const { title, detail, summary } =
    bill_type === 'trade' ? tradeFiles(provider, about) : accountFiles(provider, about);
  const name = `${account}_${bill_date.replaceAll('-', '')}_${title}`;
  const file = zipOf([
    { name: gbkBytes(`${name}.csv`), bytes: gbkBytes(detail) },
    { name: gbkBytes(`${name}(汇总).csv`), bytes: gbkBytes(summary) },
  ]);
  const token = newToken();
  provider.db.run(
    'insert into bill_files (token, created, body) values (?, ?, ?)',
    ...[token, about.now, file],
  );
  const url = new URL('/downloadBillFile.resource', provider.publicUrl());
  url.searchParams.set('bizType', bill_type);
  url.searchParams.set('fileId', token);
  return { bill_download_url: url.href };
}

type About = { account: string; from: number; until: number; now: number };

function tradeFiles(provider: Provider, about: About) {
  const lines = tradeLines(provider, about);
  refuseEmpty(provider, lines);
  const wrongSums = provider.settlementPlan.wrongSums === true;
  return {
    title: '业务明细',
    detail: detailText(lines, { ...about, wrongSums }),
    summary: summaryText(lines, about),
  };
}

function accountFiles(provider: Provider, about: About) {
  const lines = accountLines(provider, about);
  refuseEmpty(provider, lines);
  return {
    title: '账务明细',
    detail: accountText(lines, about),
    summary: accountSummary(lines, about),
  };
}

/** A day without payments has no bill, with the same error as a future day. */
function refuseEmpty({ billPlan }: Provider, lines: readonly unknown[]): void {
  const isEmpty = lines.length === 0 && billPlan.outcome !== 'every_day';
  if (isEmpty) throw refused('isp.bill_not_exist', '账单不存在');
}

const bytes: Reader<Uint8Array> = (value, at) => {
  if (!(value instanceof Uint8Array)) throw new ShapeError(`${at} must be bytes`);
  return value;
};

export function findBillFile(provider: Provider, url: string): Uint8Array | undefined {
  const token = new URLSearchParams(url.split('?', 2)[1] ?? '').get('fileId') ?? '';
  return provider.db.one(
    object({ body: bytes }),
    'select body from bill_files where token = ? and created > ?',
    token,
    provider.clock.nowSeconds() - fileSeconds,
  )?.body;
}

/** The bounds of a day in Beijing; throws while its bill is not available. */
function periodOf(provider: Provider, day: string): BillDay {
  const found = billDay(provider, { day, readyAtHour });
  if (found === undefined) throw invalid('isv.invalid-arguments', 'bill_date');
  if (found.state !== 'ready') throw refused('isp.bill_not_exist', '账单不存在');
  return found;
}
