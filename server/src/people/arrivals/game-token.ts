import { tokenAudience, tokenSecondsMax } from '@pointgate/contract/arrivals.ts';
import { ForeignId, PlayerName, Slug } from '@pointgate/contract/names.ts';
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

/**
 * The verified claims of a token: the game states that its player `gameAccountId` is arriving now.
 */
export interface GameToken {
  gameId: string;
  gameAccountId: string;
  /** How the game names the player. */
  displayName: string | undefined;
  /** Unique among the tokens of the game, for replay protection. */
  jti: string;
}

/** Verifies a game token; undefined if it is invalid in any way. */
export type ReadGameToken = (token: string) => Promise<GameToken | undefined>;

const Slugged = z.string().refine((text) => Slug.safeParse(text).success);
const GameAccountId = z.string().refine((text) => ForeignId.safeParse(text).success);

const Claims = z.looseObject({
  iss: Slugged,
  aud: z.literal(tokenAudience),
  sub: GameAccountId,
  exp: z.number(),
  jti: z.string().min(1).max(128),
  name: z.unknown().optional(),
});

const keysTimeoutMs = 3_000;

export function openGameTokens(options: {
  /** Keys that the operator has set, which override those that the game publishes. */
  keysOf: (gameId: string) => Promise<JSONWebKeySet | undefined>;
  jwksUrlOf: (gameId: string) => Promise<string | undefined>;
  now: () => number;
}): ReadGameToken {
  const { jwksUrlOf, now } = options;
  const published = new Map<string, JWTVerifyGetKey>();

  const keysOf = async (gameId: string): Promise<JWTVerifyGetKey | undefined> => {
    const written = await options.keysOf(gameId);
    if (written !== undefined) return createLocalJWKSet(written);
    const url = await jwksUrlOf(gameId);
    if (url === undefined) return undefined;
    const known = published.get(url) ?? publishedAt(url);
    published.set(url, known);
    return known;
  };

  return async (token) => {
    try {
      // Not verified yet: it only selects the keys to verify with.
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
      const { sub, exp, jti, name } = Claims.parse(payload);
      // Games may have put a name of another form into their tokens for other readers.
      const displayName = PlayerName.safeParse(name).data;
      const isBrief = exp - Math.floor(currentDate.getTime() / 1000) <= tokenSecondsMax;
      return isBrief ? { gameId, gameAccountId: sub, displayName, jti } : undefined;
    } catch (error) {
      if (error instanceof OutboundFailure) {
        log.warn({ cause: error.message }, 'the keys of a game cannot be read');
        return undefined;
      }
      // Not logged, because these errors may contain parts of the token.
      if (error instanceof errors.JOSEError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  };
}

/** Cached for ten minutes, and fetched again at most every thirty seconds if a key is missing. */
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
