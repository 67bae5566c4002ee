import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { IdRange } from '../ranges.ts';
import { askFor } from './ask.ts';
import type { Grant } from './grants.ts';
import { NoAnswer, pagesMax, readAnswer } from './no-answer.ts';
import type { Revocation } from './revocations.ts';

/** A game that can list its grants. */
export const AskedGame = z.strictObject({
  gameId: z.string(),
  apiUrl: z.string(),
  secret: z.string(),
  isSandbox: z.boolean(),
});
export type AskedGame = z.output<typeof AskedGame>;

const Entry = z.object({
  paymentId: z.uuid().transform((id) => id.toLowerCase()),
  gameId: z.string(),
  serverId: z.string(),
  roleId: z.string(),
  gameAccountId: z.string(),
  items: z.array(z.object({ sku: z.string(), quantity: z.int() })).max(100),
  what: z.enum(['given', 'revoked']),
  at: z.iso.datetime({ offset: true }),
});
type Entry = z.output<typeof Entry>;

const pageSize = 500;
const Page = z.object({
  entries: z.array(Entry).max(pageSize),
  next: z.string().min(1).max(200).nullable(),
});

/** No payment has a thousand grants: a game that lists more is considered to list endlessly. */
const entriesOfOneMax = 1_000;
/** The maximum that a game's clock may be ahead of ours. */
const aheadMaxMs = 5 * 60_000;

/**
 * Lists the grants and revocations of a game for a range of payment ids, with all entries of a
 * payment together.
 */
export async function* listRecharges(
  game: AskedGame,
  range: IdRange,
): AsyncGenerator<{ grants: Grant[]; revocations: Revocation[] }> {
  const from = range.from === '' ? firstId : range.from;
  const until = range.until === '' ? lastId : range.until;
  const cursors = new Set<string>();
  let held: Entry[] = [];
  let cursor: string | null = null;
  do {
    const { entries, next }: z.output<typeof Page> = await readPage(game, { from, until, cursor });
    if (next !== null && entries.length === 0) throw new NoAnswer('an empty page before the last');
    if (next !== null && cursors.has(next)) throw new NoAnswer('the same cursor twice');
    if (cursors.size >= pagesMax) throw new NoAnswer(`more than ${pagesMax} pages`);
    if (next !== null) cursors.add(next);
    const all = [...held, ...entries];
    for (const [index, entry] of all.entries())
      checkEntry(game, { from, until }, entry, all[index - 1]);
    // Entries of the last payment may continue on the next page.
    const last = next === null ? undefined : all.at(-1)?.paymentId;
    held = all.filter(({ paymentId }) => paymentId === last);
    if (held.length > entriesOfOneMax) throw new NoAnswer('too many entries of one payment');
    yield readEntries(all.filter(({ paymentId }) => paymentId !== last));
    cursor = next;
  } while (cursor !== null);
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

async function readPage(
  { gameId, apiUrl, secret, isSandbox }: AskedGame,
  asked: { from: string; until: string; cursor: string | null },
): Promise<z.output<typeof Page>> {
  const body = JSON.stringify({ sandbox: isSandbox, gameId, ...asked, limit: pageSize });
  const answer = await askFor(200, {
    url: `${apiUrl}/recharge.list`,
    method: 'POST',
    headers: () => ({
      'content-type': 'application/json',
      'pointgate-signature': signatureOf(secret, body),
    }),
    body,
  });
  return readAnswer(Page, answer);
}

function signatureOf(secret: string, body: string): string {
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return `t=${t},v1=${v1}`;
}

/** A game that sends entries that were not requested may have left out others. */
function checkEntry(
  game: AskedGame,
  { from, until }: { from: string; until: string },
  { paymentId, gameId, at }: Entry,
  before: Entry | undefined,
): void {
  if (gameId !== game.gameId) throw new NoAnswer('entries of another game');
  if (paymentId < from || paymentId >= until)
    throw new NoAnswer('entries outside the requested range');
  if (paymentId < (before?.paymentId ?? '')) throw new NoAnswer('entries out of order');
  if (Date.parse(at) > Date.now() + aheadMaxMs) throw new NoAnswer('entries with a future time');
}

function readEntries(entries: readonly Entry[]): { grants: Grant[]; revocations: Revocation[] } {
  return {
    grants: entries
      .filter(({ what }) => what === 'given')
      .map(({ items, what: _what, ...entry }) => ({
        ...entry,
        sku: [...new Set(items.map(({ sku }) => sku))].join(' + '),
        quantity: items.reduce((sum, item) => sum + item.quantity, 0),
        times: 1,
      })),
    revocations: entries
      .filter(({ what }) => what === 'revoked')
      .map(({ paymentId, at }) => ({ paymentId, at, result: 'revoked' })),
  };
}
