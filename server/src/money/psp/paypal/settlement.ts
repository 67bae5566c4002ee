import type { Settlement, SettlementLine } from '../psp.ts';
import { type Known, misshapen } from '../replies.ts';
import { causeOf, type PaypalClient } from './client.ts';
import { disputeIdsOf } from './disputes.ts';
import { readLines, SearchPage } from './settlement-lines.ts';

const pageSize = 500;
/** A search returns a limited number of transactions, so a longer period is split in halves. */
const tooMany = 'RESULTSET_TOO_LARGE';
const shortestMs = 60_000;

interface Period {
  from: Date;
  /** Exclusive. */
  until: Date;
}

/** PayPal has no settlement file but a transaction search that lags some hours behind. */
export async function settlement(client: PaypalClient, period: Period): Promise<Settlement> {
  const lines = await linesBetween(client, period);
  if (lines === 'not_ready') return { outcome: 'not_ready', reportId: 'transactions' };
  if (lines.outcome === 'unknown') return lines;
  return await withDisputes(client, lines.value);
}

async function linesBetween(
  client: PaypalClient,
  period: Period,
): Promise<Known<SettlementLine[]> | 'not_ready'> {
  const lines: SettlementLine[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const found = await readPage(client, period, page);
    if (found === 'too_many') return await inHalves(client, period);
    if (found.outcome === 'unknown') return found;
    const { last_refreshed_datetime: refreshed, total_pages, transaction_details } = found.value;
    if (refreshed < period.until) return 'not_ready';
    for (const entry of transaction_details) {
      const read = readLines(entry.transaction_info);
      if (read === undefined) {
        return {
          outcome: 'unknown',
          cause: `transaction ${entry.transaction_info.transaction_id}`,
        };
      }
      lines.push(...read);
    }
    pages = total_pages;
  }
  return { outcome: 'ok', value: lines };
}

async function inHalves(
  client: PaypalClient,
  { from, until }: Period,
): Promise<Known<SettlementLine[]> | 'not_ready'> {
  const length = until.getTime() - from.getTime();
  if (length <= shortestMs) return { outcome: 'unknown', cause: tooMany };
  // Whole seconds, because a search includes both of its ends.
  const middle = new Date(Math.floor((from.getTime() + length / 2) / 1000) * 1000);
  const first = await linesBetween(client, { from, until: middle });
  if (first === 'not_ready' || first.outcome === 'unknown') return first;
  const second = await linesBetween(client, { from: middle, until });
  if (second === 'not_ready' || second.outcome === 'unknown') return second;
  return { outcome: 'ok', value: [...first.value, ...second.value] };
}

async function readPage(client: PaypalClient, { from, until }: Period, page: number) {
  const reply = await client.ask(({ transactions }) =>
    transactions.searchTransactions({
      startDate: from.toISOString(),
      endDate: new Date(until.getTime() - 1000).toISOString(),
      fields: 'transaction_info',
      balanceAffectingRecordsOnly: 'Y',
      pageSize,
      page,
    }),
  );
  if (reply.outcome === 'refused' && reply.issue === tooMany) return 'too_many' as const;
  if (reply.outcome !== 'ok') return { outcome: 'unknown', cause: causeOf(reply) } as const;
  const found = SearchPage.safeParse(reply.value);
  if (!found.success) return misshapen('page of transactions', found.error);
  const isAsked = found.data.page === page;
  return isAsked
    ? ({ outcome: 'ok', value: found.data } as const)
    : ({ outcome: 'unknown', cause: 'a reply with another page' } as const);
}

/** A chargeback line names its payment; the dispute id comes from the disputes of that payment. */
async function withDisputes(
  client: PaypalClient,
  lines: readonly SettlementLine[],
): Promise<Settlement> {
  const named: SettlementLine[] = [];
  const idsOf = new Map<string, string[]>();
  for (const line of lines) {
    if (line.kind !== 'dispute' || line.captureId === null) {
      named.push(line);
      continue;
    }
    if (!idsOf.has(line.captureId)) {
      const ids = await disputeIdsOf(client, line.captureId);
      if (ids.outcome === 'unknown') return ids;
      idsOf.set(line.captureId, ids.value);
    }
    const [disputeId, ...others] = idsOf.get(line.captureId) ?? [];
    const isClear = disputeId !== undefined && others.length === 0;
    named.push(isClear ? { ...line, subjectId: disputeId } : line);
  }
  return { outcome: 'ok', lines: named };
}
