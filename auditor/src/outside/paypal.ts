import { z } from 'zod';
import type { Account, Span } from './accounts.ts';
import { ask, askFor, type Question } from './ask.ts';
import type { Charge } from './captures.ts';
import { NoAnswer, pagesMax, readAnswer } from './no-answer.ts';
import type { TheirRefund } from './refunds.ts';

export const PaypalAccount = z.strictObject({
  name: z.string(),
  provider: z.literal('paypal'),
  url: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  route: z
    .strictObject({ host: z.string(), port: z.int(), rootCertificate: z.string() })
    .optional(),
});
type PaypalAccount = z.output<typeof PaypalAccount>;

const Amount = z.object({ currency_code: z.string(), value: z.string() }).transform(readMoney);

/** Times are `2026-11-15T21:00:00+0000` in search results and ISO 8601 everywhere else. */
const Seconds = z
  .string()
  .transform((time) => Date.parse(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')))
  .pipe(z.int())
  .transform((ms) => Math.floor(ms / 1000));

const Transaction = z.object({
  transaction_id: z.string().min(1),
  transaction_event_code: z.string(),
  transaction_status: z.string(),
  transaction_initiation_date: Seconds,
  transaction_amount: z.unknown(),
  paypal_reference_id: z.string().optional(),
  custom_field: z.string().optional(),
});
type Transaction = z.output<typeof Transaction>;

const pageSize = 500;
const Page = z.object({
  transaction_details: z
    .array(z.object({ transaction_info: Transaction }))
    .max(pageSize)
    .default([]),
  page: z.int(),
  total_pages: z.int().max(pagesMax),
});

const Capture = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: Amount,
  custom_id: z.string().optional(),
  create_time: Seconds,
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().min(1) }) }),
});

const Order = z.object({
  purchase_units: z.tuple([
    z.object({
      payments: z.object({
        refunds: z
          .array(
            z.object({
              id: z.string().min(1),
              status: z.string(),
              amount: Amount,
              custom_id: z.string().optional(),
              create_time: Seconds,
              links: z.array(z.object({ href: z.string(), rel: z.string() })),
            }),
          )
          .default([]),
      }),
    }),
  ]),
});

/** PayPal offers a search of all balance movements, and lookups of captures and orders by id. */
export function openPaypal(account: PaypalAccount): Account {
  const client = openClient(account);
  const captureOf = async (captureId: string) => {
    const body = await client.find(`/v2/payments/captures/${encodeURIComponent(captureId)}`);
    return body === undefined ? undefined : readAnswer(Capture, body);
  };
  return {
    name: account.name,
    charges: async function* (span) {
      for await (const page of search(client, span)) {
        yield page
          .filter(({ transaction_event_code: code }) => code.startsWith('T00'))
          .map(toCharge);
      }
    },
    chargesOf: async (captureId) => {
      const capture = await captureOf(captureId);
      const isTaken =
        capture !== undefined && !['PENDING', 'DECLINED', 'FAILED'].includes(capture.status);
      if (!isTaken) return [];
      const { id, amount, custom_id, create_time: created } = capture;
      return [{ id, payment_intent: id, ...amount, created, paymentId: paymentOf(custom_id) }];
    },
    refunds: async function* (span) {
      for await (const page of search(client, span)) {
        yield page.filter(({ transaction_event_code: code }) => code === 'T1107').map(toRefund);
      }
    },
    refundsOf: async (captureId) => {
      const capture = await captureOf(captureId);
      if (capture === undefined) return [];
      const { order_id } = capture.supplementary_data.related_ids;
      const body = await client.find(`/v2/checkout/orders/${encodeURIComponent(order_id)}`);
      if (body === undefined) throw new NoAnswer('a capture of a missing order');
      return readAnswer(Order, body)
        .purchase_units[0].payments.refunds.filter(({ links }) =>
          links.some(({ rel, href }) => rel === 'up' && href.endsWith(`/${captureId}`)),
        )
        .toSorted((one, other) => one.create_time - other.create_time)
        .map(({ id, status, amount, custom_id, create_time: created }) => ({
          id,
          payment_intent: captureId,
          ...amount,
          created,
          metadata: oursOf(custom_id),
          status: status === 'COMPLETED' ? 'succeeded' : status.toLowerCase(),
        }));
    },
  };
}

interface Client {
  /** Undefined if the object does not exist. */
  find(path: string): Promise<string | undefined>;
  ask(path: string): Promise<{ status: number; body: string }>;
}

function openClient({ url, clientId, clientSecret, route }: PaypalAccount): Client {
  let token: Promise<string> | undefined;
  const newToken = async () => {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const body = await askFor(200, {
      url: `${url}/v1/oauth2/token`,
      method: 'POST' as const,
      route,
      headers: () => ({
        authorization: `Basic ${basic}`,
        'content-type': 'application/x-www-form-urlencoded',
      }),
      body: 'grant_type=client_credentials',
    });
    return readAnswer(z.object({ access_token: z.string().min(1) }), body).access_token;
  };
  const askWith = async (path: string) => {
    token ??= newToken();
    const authorization = `Bearer ${await token}`;
    const question: Question = {
      url: url + path,
      method: 'GET',
      headers: () => ({ authorization }),
      route,
    };
    return await ask(question);
  };
  const client: Client = {
    ask: async (path) => {
      const reply = await askWith(path);
      if (reply.status !== 401) return reply;
      // An access token expires after some hours.
      token = undefined;
      return await askWith(path);
    },
    find: async (path) => {
      const { status, body } = await client.ask(path);
      if (status === 404) return undefined;
      if (status !== 200) throw new NoAnswer(`HTTP ${status}`);
      return body;
    },
  };
  return client;
}

const shortestMs = 60_000;

/**
 * Completed balance movements, including those reversed later. A time range with too many results
 * is split in halves.
 */
async function* search(client: Client, span: Span): AsyncGenerator<Transaction[]> {
  // PayPal searches by whole seconds; a range within one second is covered by the next range.
  if (Math.floor(span.fromMs / 1000) === Math.floor(span.untilMs / 1000)) return;
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await searchPage(client, span, page);
    if (answer === 'too_much') {
      const middle = Math.floor((span.fromMs + span.untilMs) / 2000) * 1000;
      if (span.untilMs - span.fromMs <= shortestMs)
        throw new NoAnswer('too many results in one minute');
      yield* search(client, { fromMs: span.fromMs, untilMs: middle });
      yield* search(client, { fromMs: middle, untilMs: span.untilMs });
      return;
    }
    const found = readAnswer(Page, answer);
    if (found.page !== page) throw new NoAnswer('another page than the one asked for');
    pages = found.total_pages;
    yield found.transaction_details
      .map(({ transaction_info }) => transaction_info)
      .filter(({ transaction_status: status }) => status === 'S' || status === 'V');
  }
}

async function searchPage(
  client: Client,
  { fromMs, untilMs }: Span,
  page: number,
): Promise<string | 'too_much'> {
  const second = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString();
  const query = new URLSearchParams({
    // PayPal includes both ends of the range.
    start_date: second(fromMs),
    end_date: second(untilMs - 1000),
    fields: 'transaction_info',
    balance_affecting_records_only: 'Y',
    page_size: String(pageSize),
    page: String(page),
  });
  const { status, body } = await client.ask(`/v1/reporting/transactions?${query}`);
  if (status === 200) return body;
  if (status === 400 && body.includes('RESULTSET_TOO_LARGE')) return 'too_much';
  throw new NoAnswer(`HTTP ${status}`);
}

function toCharge(info: Transaction): Charge {
  const { transaction_id: id, transaction_initiation_date: created } = info;
  const paymentId = paymentOf(info.custom_field);
  return { id, payment_intent: id, ...amountOf(info), created, paymentId };
}

function toRefund(info: Transaction): TheirRefund {
  const { transaction_id: id, transaction_initiation_date: created, custom_field } = info;
  const { amount, currency } = amountOf(info);
  return {
    id,
    payment_intent: info.paypal_reference_id ?? '',
    amount: -amount,
    currency,
    created,
    status: 'succeeded',
    metadata: oursOf(custom_field),
  };
}

/**
 * A refund made in PayPal's dashboard may inherit the custom id of its payment, which is not a
 * refund id.
 */
function oursOf(customId: string | undefined): { refundId: string | undefined } {
  return { refundId: z.uuid().safeParse(customId).data };
}

/** Parses the currency only for movements that are compared. */
function amountOf({ transaction_amount }: Transaction): { amount: number; currency: string } {
  return readAnswer(Amount, JSON.stringify(transaction_amount ?? null));
}

/** The custom id that we set on a PayPal order contains account, order and attempt. */
function paymentOf(customId: string | undefined): string | null {
  return customId?.split('.')[1] ?? null;
}

/** Decimals of currencies in PayPal's API; all others that a shop supports have two. */
const decimals = new Map([['JPY', 0]]);

/** `"4.99"` USD is 499, and `"150"` TWD is 15000. */
function readMoney(
  { currency_code: currency, value }: { currency_code: string; value: string },
  context: z.RefinementCtx,
): { amount: number; currency: string } {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d+))?$/.exec(value) ?? [];
  const places = decimals.get(currency) ?? 2;
  if (whole === '' || fraction.length > places) {
    context.addIssue({ code: 'custom', message: 'no exact amount' });
    return z.NEVER;
  }
  return { amount: Number(`${sign}${whole}${fraction.padEnd(places, '0')}`), currency };
}
