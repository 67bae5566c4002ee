import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type BillDay, billDay } from '../platform/daily-bills.ts';
import { name, object, oneOf, optional, ShapeError } from '../platform/shape.ts';
import { fundFlowBill } from './balance-text.ts';
import { refused } from './failure.ts';
import { randomText } from './ids.ts';
import type { WireObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { tradeLines } from './settlement-lines.ts';
import { tradeText } from './settlement-text.ts';

/** The hour of the next day, in Beijing, from which a bill is available. */
const readyAtHour = 10;

const tradeQuery = object({
  bill_date: name,
  bill_type: optional(oneOf(['ALL', 'SUCCESS', 'REFUND'])),
  tar_type: optional(oneOf(['GZIP'])),
});
const fundQuery = object({
  bill_date: name,
  account_type: optional(oneOf(['BASIC', 'OPERATION', 'FEES'])),
  tar_type: optional(oneOf(['GZIP'])),
});

/** Writes the bill of a day's payments and refunds, and answers its download URL. */
export function tradeBill(provider: Provider, query: URLSearchParams): WireObject {
  const sent = tradeQuery(Object.fromEntries(query), '');
  const period = periodOf(provider, sent.bill_date);
  const lines = tradeLines(provider, { ...period, type: sent.bill_type ?? 'ALL' });
  if (lines.length === 0) throw refused('NO_STATEMENT_EXIST', '账单文件不存在');
  return keepBill(provider, {
    text: tradeText(lines, provider.settings.mchId),
    isPacked: sent.tar_type === 'GZIP',
  });
}

/** Writes the fund flow bill: a day's movements of the merchant's balance. */
export function fundBill(provider: Provider, query: URLSearchParams): WireObject {
  const sent = fundQuery(Object.fromEntries(query), '');
  const text = fundFlowBill(provider, periodOf(provider, sent.bill_date));
  if (text === undefined) throw refused('NO_STATEMENT_EXIST', '账单文件不存在');
  return keepBill(provider, { text, isPacked: sent.tar_type === 'GZIP' });
}

/** The bounds of a day in Beijing; throws while its bill is not available. */
function periodOf(provider: Provider, day: string): BillDay {
  const found = billDay(provider, { day, readyAtHour });
  if (found === undefined) throw new ShapeError('bill_date is no day');
  if (found.state === 'to_come') throw refused('INVALID_REQUEST', '账单日期不合法');
  if (found.state === 'creating') throw refused('STATEMENT_CREATING', '账单生成中');
  return found;
}

function keepBill(
  provider: Provider,
  { text, isPacked }: { text: string; isPacked: boolean },
): WireObject {
  const token = randomText(64);
  const body = Buffer.from(text);
  provider.db.run(
    'insert into bill_files (token, body, tar) values (?, ?, ?)',
    token,
    isPacked ? gzipSync(body) : body,
    isPacked ? 1 : 0,
  );
  const url = new URL('/v3/billdownload/file', provider.publicUrl());
  url.searchParams.set('token', token);
  const hashed = provider.settlementPlan.wrongHash === true ? `${text} ` : text;
  return {
    download_url: url.href,
    hash_type: 'SHA1',
    // The hash covers the uncompressed bill, also when the file is gzipped.
    hash_value: createHash('sha1').update(hashed).digest('hex'),
  };
}
