import * as z from 'zod/mini';
import { ForeignId, Slug } from './names.ts';

// The calls that a publisher's game server answers: four that are required and a fifth that is
// optional, all of them signed. They are defined by the shop, and integrators get them as OpenAPI.

/** Why a game refuses a top-up. */
export const GameRefusal = z.enum([
  'role_not_found',
  'server_closed',
  'item_unavailable',
  'limit_reached',
  'region_not_allowed',
]);
export type GameRefusal = z.output<typeof GameRefusal>;

/** In every request: a test purchase must never be mistaken for a real one. */
const common = { sandbox: z.boolean(), gameId: Slug };

const receiver = { serverId: Slug, roleId: ForeignId, gameAccountId: ForeignId };
const item = { sku: z.string(), quantity: z.int().check(z.gte(1)) };

const recharge = {
  paymentId: z.uuid(),
  ...receiver,
  items: z.array(z.strictObject(item)),
};

interface GameCall {
  summary: string;
  /** How long the shop waits. A call without an answer may be repeated. */
  timeoutMs: number;
  request: z.ZodMiniType;
  /** Fields the shop does not know are ignored, so that a game may add some. */
  reply: z.ZodMiniType;
}

export const gameCalls = {
  'roles.query': {
    summary: "A player's roles on a server",
    timeoutMs: 5_000,
    request: z.strictObject({ ...common, serverId: Slug, gameAccountId: ForeignId }),
    reply: z.object({
      roles: z.array(
        z.object({
          roleId: ForeignId,
          name: z.string().check(z.maxLength(64)),
          level: z.int().check(z.gte(0), z.lte(2_147_483_647)),
        }),
      ),
    }),
  },
  'recharge.validate': {
    summary: 'Whether the game would take this top-up; asked before any money moves',
    timeoutMs: 5_000,
    request: z.strictObject({ ...common, ...recharge }),
    reply: z.discriminatedUnion('result', [
      z.object({ result: z.literal('ok') }),
      z.object({ result: z.literal('refused'), reason: GameRefusal }),
    ]),
  },
  'recharge.deliver': {
    summary:
      'Gives the items, once per paymentId: the same call again answers already_delivered. declined is final',
    timeoutMs: 10_000,
    request: z.strictObject({ ...common, ...recharge }),
    reply: z.discriminatedUnion('result', [
      z.object({ result: z.enum(['delivered', 'already_delivered']) }),
      z.object({ result: z.literal('declined'), reason: GameRefusal }),
    ]),
  },
  'recharge.revoke': {
    summary:
      'Takes back what was given for an order that was refunded. Whatever it answers, a deliver that comes later for this paymentId is to be declined',
    timeoutMs: 10_000,
    request: z.strictObject({
      sandbox: z.boolean(),
      paymentId: z.uuid(),
      reason: z.string().check(z.maxLength(64)),
    }),
    reply: z.object({ result: z.enum(['revoked', 'already_revoked', 'not_found']) }),
  },
  'recharge.list': {
    summary:
      'Optional. What was given and taken back for the payments from one id up to another, by payment id. ' +
      'An id begins with the moment at which its order was placed (UUIDv7), so this is a span of time. ' +
      'One entry for each time that items were given, and one for each time that they were taken back; only ' +
      'what the shop asked for that signed this call, and only what bears the same sandbox. A page has at most ' +
      'limit entries; next goes into the next call as cursor, and is null on the last page',
    timeoutMs: 10_000,
    request: z.strictObject({
      ...common,
      /** The first payment id of the range; `until` is excluded. */
      from: z.uuid(),
      until: z.uuid(),
      cursor: z.nullable(z.string().check(z.maxLength(200))),
      limit: z.int().check(z.gte(1), z.lte(1_000)),
    }),
    reply: z.object({
      entries: z.array(
        z.object({
          paymentId: z.uuid(),
          gameId: Slug,
          ...receiver,
          items: z.array(z.object(item)),
          what: z.enum(['given', 'revoked']),
          at: z.iso.datetime({ offset: true }),
        }),
      ),
      next: z.nullable(z.string().check(z.minLength(1), z.maxLength(200))),
    }),
  },
} as const satisfies Record<string, GameCall>;

export type GameCallName = keyof typeof gameCalls;

export const gameSignatureHeader = 'pointgate-signature';
