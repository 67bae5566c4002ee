import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { redeemCode } from '@pointgate/contract/redeem.ts';
import { BatchTerms } from '../src/checkout/redeem/batch-rules.ts';
import { openCodeHash } from '../src/checkout/redeem/code-text.ts';
import { type BatchContext, importCodes, makeCodes } from '../src/checkout/redeem/redeem.ts';
import { type Reply, send, type TestShop, testCodeKey } from './shop.ts';

/** Sizes of tests; larger ones are run by hand and print their results. */
export const redeemSizes = {
  codes: Number(process.env.REDEEM_CODES || 5_000),
  guessSeconds: Number(process.env.REDEEM_GUESS_SECONDS || 5),
  isByHand: 'REDEEM_CODES' in process.env || 'REDEEM_GUESS_SECONDS' in process.env,
};

/** The context for making codes, with the key of the test's shop. */
export function codesOf({ db, sites }: Pick<TestShop, 'db' | 'sites'>): BatchContext {
  return { db, sites, hashOf: openCodeHash(testCodeKey) };
}

export const hundredPoints = { kind: 'points', points: '100', days: 30 };
/** An item that costs 500 points. */
export const shards = { kind: 'item', itemId: 'shards_300' };

let batches = 0;

/**
 * The terms of a batch as operators write them: 100 points for every account, valid since an hour
 * ago.
 */
export function termsOf(changes: object = {}): BatchTerms {
  batches += 1;
  return BatchTerms.parse({
    name: `batch-${batches}`,
    reward: hundredPoints,
    startsAt: inHours(-1),
    endsAt: null,
    ...changes,
  });
}

export const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60_000).toISOString();

/** A batch of codes in printed form. */
export async function givenCodes(
  shop: TestShop,
  { codes = 1, ...changes }: { codes?: number; [term: string]: unknown } = {},
): Promise<string[]> {
  let printed = '';
  const batch = { ...termsOf(changes), codes };
  const made = await makeCodes(codesOf(shop), { batch, by: 'ines' }, async (text) => {
    printed += text;
  });
  if ('complaints' in made) throw new Error(made.complaints.join());
  return printed.trim().split('\n').slice(1);
}

export async function givenCode(
  shop: TestShop,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const [code] = await givenCodes(shop, changes);
  if (code === undefined) throw new Error('no code was made');
  return code;
}

/** A code that was imported from another system. */
export async function givenImportedCode(
  shop: TestShop,
  code: string,
  changes: object = {},
): Promise<void> {
  const made = await importCodes(codesOf(shop), { terms: termsOf(changes), by: 'ines' }, code);
  if ('complaints' in made) throw new Error(made.complaints.join());
}

interface Redeemer {
  cookie: string | undefined;
  body?: Record<string, unknown>;
}

/**
 * Settings of a shop with rate limits of its own, so that failures of other tests do not count.
 * Each call sends its own address.
 */
export const ownLimits = { REDIS_URL: 'redis://127.0.0.1:1', TRUST_PROXY: '1' };

let networks = 0;
export function newNetwork(): Record<string, string> {
  networks += 1;
  return { 'x-forwarded-for': `10.${networks >> 8}.${networks & 255}.9` };
}

/** Redeems a code for the buyer's role, from a new network. */
export async function redeem(
  shop: TestShop,
  { cookie, body = {} }: Redeemer,
  code: string,
  { headers = newNetwork(), ...changes }: { headers?: Record<string, string> } & object = {},
): Promise<Reply> {
  const { serverId, roleId } = body;
  const sent = { code, serverId, roleId, ...changes };
  return await send(shop, redeemCode.path, { cookie, body: sent, headers });
}

/** The reply of a successful redemption. */
export async function redeemed(
  shop: TestShop,
  redeemer: Redeemer,
  code: string,
): Promise<ReplyOf<typeof redeemCode>> {
  const reply = await redeem(shop, redeemer, code);
  if (!reply.isSuccess) throw new Error(`refused with ${reply.code}`);
  return redeemCode.reply.parse(reply.data);
}
