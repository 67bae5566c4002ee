import { z } from 'zod';
import type { Account, Span } from './accounts.ts';
import { ask } from './ask.ts';
import { NoAnswer, pagesMax, readAnswer } from './no-answer.ts';

export const StripeAccount = z.strictObject({
  name: z.string(),
  provider: z.literal('stripe'),
  url: z.string(),
  secretKey: z.string(),
});

const Id = z.string().min(1);
const Charge = z
  .object({
    id: Id,
    amount: z.int(),
    currency: z.string(),
    created: z.int(),
    status: z.string(),
    payment_intent: Id.nullable(),
    metadata: z.record(z.string(), z.string()),
  })
  // A charge that was not made through our pages has no payment intent; its own id is used instead.
  .transform(({ metadata, payment_intent, ...charge }) => ({
    ...charge,
    payment_intent: payment_intent ?? charge.id,
    paymentId: metadata.paymentId ?? null,
  }));

const Refund = z
  .object({
    id: Id,
    amount: z.int(),
    currency: z.string(),
    created: z.int(),
    status: z.string(),
    payment_intent: Id.nullable(),
    charge: Id.nullable(),
    metadata: z.record(z.string(), z.string()).nullable(),
  })
  .transform(({ metadata, charge, payment_intent, ...refund }) => ({
    ...refund,
    payment_intent: payment_intent ?? charge ?? '',
    metadata: { refundId: metadata?.refundId },
  }));

const pageSize = 100;

/** Stripe lists objects by creation time in seconds, newest first. */
export function openStripe({ name, url, secretKey }: z.output<typeof StripeAccount>): Account {
  const list = <Listed extends { id: string }>(
    what: string,
    entry: z.ZodType<Listed>,
    filters: Record<string, string>,
  ) => readPages(entry, { url: `${url}/v1/${what}`, secretKey, filters });
  // Pending and failed charges have not taken money.
  const taken = (page: z.output<typeof Charge>[]) =>
    page.filter(({ status }) => status === 'succeeded');
  return {
    name,
    charges: async function* (span) {
      for await (const page of list('charges', Charge, filtersOf(span))) yield taken(page);
    },
    chargesOf: async (captureId) =>
      taken(await whole(list('charges', Charge, { payment_intent: captureId }))),
    refunds: (span) => list('refunds', Refund, filtersOf(span)),
    refundsOf: (captureId) => whole(list('refunds', Refund, { payment_intent: captureId })),
  };
}

function filtersOf({ fromMs, untilMs }: Span): Record<string, string> {
  const second = (ms: number) => String(Math.floor(ms / 1000));
  return { 'created[gte]': second(fromMs), 'created[lt]': second(untilMs) };
}

async function whole<T>(pages: AsyncGenerator<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

async function* readPages<Listed extends { id: string }>(
  entry: z.ZodType<Listed>,
  asked: { url: string; secretKey: string; filters: Record<string, string> },
): AsyncGenerator<Listed[]> {
  const Page = z.object({ has_more: z.boolean(), data: z.array(entry).max(pageSize) });
  const cursors = new Set<string>();
  let after: string | undefined;
  do {
    const answer = await readPage(asked, after);
    if (answer === undefined) return;
    const { has_more: hasMore, data } = readAnswer(Page, answer);
    yield data;
    after = hasMore ? data.at(-1)?.id : undefined;
    if (hasMore && after === undefined) throw new NoAnswer('an empty page before the last');
    if (after !== undefined && cursors.has(after)) throw new NoAnswer('the same cursor twice');
    if (cursors.size >= pagesMax) throw new NoAnswer(`more than ${pagesMax} pages`);
    if (after !== undefined) cursors.add(after);
  } while (after !== undefined);
}

const Missing = z.object({ error: z.object({ code: z.literal('resource_missing') }) });

/** Undefined if the object whose list is requested does not exist. */
async function readPage(
  { url, secretKey, filters }: { url: string; secretKey: string; filters: Record<string, string> },
  after: string | undefined,
): Promise<string | undefined> {
  const query = new URLSearchParams({
    ...filters,
    limit: String(pageSize),
    ...(after === undefined ? {} : { starting_after: after }),
  });
  const { status, body } = await ask({
    url: `${url}?${query}`,
    method: 'GET',
    headers: () => ({ authorization: `Bearer ${secretKey}` }),
  });
  if (status === 200) return body;
  const isMissing = (status === 404 || status === 400) && after === undefined;
  if (isMissing && 'payment_intent' in filters && isAnswer(Missing, body)) return undefined;
  throw new NoAnswer(`HTTP ${status}`);
}

function isAnswer(schema: z.ZodType, body: string): boolean {
  try {
    readAnswer(schema, body);
    return true;
  } catch {
    return false;
  }
}
