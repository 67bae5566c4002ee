import type { RefusalOf } from '@pointgate/contract/endpoint.ts';
import { Slug } from '@pointgate/contract/names.ts';
import type { redeemCode } from '@pointgate/contract/redeem.ts';
import { z } from 'zod';
import { LocalText } from '../../platform/local-text.ts';

/** Whole points as text, because JSON numbers are not exact at any size. */
const Points = z
  .string()
  .regex(/^[1-9]\d{0,11}$/)
  .transform(BigInt);
const Days = z.int().min(1).max(3_650).nullable().default(null);

/** The reward of one code. Another kind is another member here, in the contract and in `give`. */
export const Reward = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('points'), points: Points, days: Days }),
  z.strictObject({
    kind: z.literal('item'),
    itemId: Slug,
    /** Looked up when the batch is created. */
    gameId: z.optional(Slug),
    /** The lifetime of the points refunded if the game declines the item. */
    days: Days,
  }),
  z.strictObject({
    kind: z.literal('coupon'),
    templateId: Slug,
    /** Looked up when the batch is created; a template never changes. */
    name: LocalText.optional(),
  }),
]);
export type Reward = z.output<typeof Reward>;

const Moment = z.iso.datetime({ offset: true, abort: true }).transform((text) => new Date(text));

/** The terms of a batch that an operator sets. */
export const BatchTerms = z
  .strictObject({
    name: Slug,
    reward: Reward,
    /** How many accounts can redeem the same code. */
    usesPerCode: z.int().min(1).max(10_000_000).default(1),
    /** How many codes of the batch one account can redeem. */
    codesPerAccount: z.int().min(1).max(1_000_000).default(1),
    /** Null for all sites. */
    siteId: z.nullable(Slug).default(null),
    countries: z
      .array(z.string().regex(/^[A-Z]{2}$/))
      .max(250)
      .default([]),
    startsAt: Moment,
    endsAt: Moment.nullable(),
  })
  .refine(({ startsAt, endsAt }) => endsAt === null || endsAt > startsAt, { path: ['endsAt'] });
export type BatchTerms = z.output<typeof BatchTerms>;

export const codesMax = 1_000_000;

export const NewBatch = BatchTerms.safeExtend({ codes: z.int().min(1).max(codesMax) });

/** Everything that decides whether a code can be redeemed. */
export interface KnownCode {
  uses: number;
  usesMax: number;
  /** How many codes of the batch this account has redeemed. */
  redeemed: number;
  perAccountMax: number;
  siteId: string | null;
  countries: readonly string[];
  startsAt: Date;
  endsAt: Date | null;
  stoppedAt: Date | null;
  reward: Reward;
}

interface Redeeming {
  now: Date;
  siteId: string;
  /** Two-letter code, or null if unknown. */
  country: string | null;
  /** The games that the site sells. */
  gameIds: readonly string[];
}

type CodeRefusal = Extract<
  RefusalOf<typeof redeemCode>,
  `RedeemCode${string}` | 'RedeemLimitReached' | 'RedeemWrongRegion'
>;

/** The reason why this account cannot redeem the code now; undefined if it can. */
export function refusalOf(
  code: KnownCode | undefined,
  { now, siteId, country, gameIds }: Redeeming,
): CodeRefusal | undefined {
  if (code === undefined) return 'RedeemCodeNotFound';
  const { startsAt, endsAt, stoppedAt, countries, reward } = code;
  if (stoppedAt !== null || (endsAt !== null && endsAt <= now)) return 'RedeemCodeExpired';
  if (now < startsAt) return 'RedeemCodeNotStarted';
  // An unknown country matches no country condition.
  const isHere =
    (code.siteId === null || code.siteId === siteId) &&
    (countries.length === 0 || (country !== null && countries.includes(country))) &&
    (reward.kind !== 'item' || gameIds.includes(gameOf(reward)));
  if (!isHere) return 'RedeemWrongRegion';
  if (code.uses >= code.usesMax) return 'RedeemCodeUsed';
  return code.redeemed >= code.perAccountMax ? 'RedeemLimitReached' : undefined;
}

export function gameOf({ itemId, gameId }: Extract<Reward, { kind: 'item' }>): string {
  if (gameId === undefined) throw new Error(`the batch lacks the game of item ${itemId}`);
  return gameId;
}

/** JSON for the database, with bigints as text. */
export function toJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? part.toString() : part,
  );
}
