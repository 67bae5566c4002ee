import { tokenAudience, tokenSecondsMax } from '@pointgate/contract/arrivals.ts';
import { ForeignId, Slug } from '@pointgate/contract/names.ts';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import { log } from '../../platform/log.ts';
import { callOut, OutboundFailure } from '../../platform/outbound.ts';

/** What a token proves: this game says that its player `gameAccountId` is here, now. */
export interface GameToken {
  gameId: string;
  gameAccountId: string;
  /** To be used up; it names the token among all of its game. */
  jti: string;
}

/** Reads tokens of games; anything but a good one is nothing. */
export type ReadGameToken = (token: string) => Promise<GameToken | undefined>;

const Slugged = z.string().refine((text) => Slug.safeParse(text).success);
const GameAccountId = z.string().refine((text) => ForeignId.safeParse(text).success);

const Claims = z.looseObject({
  iss: Slugged,
  aud: z.literal(tokenAudience),
  sub: GameAccountId,
  exp: z.number(),
  jti: z.string().min(1).max(128),
});

const keysTimeoutMs = 3_000;

export function openGameTokens(options: {
  /** Keys that the operator wrote down; they win over those that a game publishes. */
  keys: Readonly<Record<string, JSONWebKeySet>>;
  jwksUrlOf: (gameId: string) => Promise<string | undefined>;
  now: () => number;
}): ReadGameToken {
  const { keys, jwksUrlOf, now } = options;
  const published = new Map<string, JWTVerifyGetKey>();

  const keysOf = async (gameId: string): Promise<JWTVerifyGetKey | undefined> => {
    const written = Object.hasOwn(keys, gameId) ? keys[gameId] : undefined;
    if (written !== undefined) return createLocalJWKSet(written);
    const url = await jwksUrlOf(gameId);
    if (url === undefined) return undefined;
    const known = published.get(url) ?? publishedAt(url);
    published.set(url, known);
    return known;
  };

  return async (token) => {
    try {
      // Not believed yet: it only says whose keys have to be asked for.
      const gameId = Slugged.parse(decodeJwt(token).iss);
      const keysOfGame = await keysOf(gameId);
      if (keysOfGame === undefined) return undefined;
      const currentDate = new Date(now());
      const { payload } = await jwtVerify(token, keysOfGame, {
        algorithms: ['EdDSA', 'ES256'],
        issuer: gameId,
        audience: tokenAudience,
        currentDate,
      });
      const { sub, exp, jti } = Claims.parse(payload);
      const isBrief = exp - Math.floor(currentDate.getTime() / 1000) <= tokenSecondsMax;
      return isBrief ? { gameId, gameAccountId: sub, jti } : undefined;
    } catch (error) {
      if (error instanceof OutboundFailure) {
        log.warn({ cause: error.message }, 'the keys of a game cannot be read');
        return undefined;
      }
      // Their messages and fields may carry parts of the token, so they are not logged.
      if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  };
}

/** Kept for ten minutes, and asked for anew at most every thirty seconds when a key is not there. */
function publishedAt(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    [customFetch]: async (address) => {
      const reply = await callOut({
        url: address,
        method: 'GET',
        headers: { accept: 'application/json' },
        timeoutMs: keysTimeoutMs,
      });
      return new Response(reply.body, { status: reply.status });
    },
  });
}
