import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db.ts';
import { signatureWindowSeconds, signedAt } from '../../publisher/games/game-signature.ts';
import { insertUsedArrival } from './arrivals.queries.ts';

/** What a game's back end has said, and proven to have said in the last five minutes. */
export interface SignedRequest {
  gameId: string;
  said: unknown;
  digest: Buffer;
}

/** Nothing where these bytes were not signed by the game they name, or not just now. */
export function readSigned(request: {
  body: Buffer;
  signature: string;
  /** For each game the secrets it may sign with. */
  gameSecrets: Readonly<Record<string, readonly string[]>>;
  nowMs: number;
}): SignedRequest | undefined {
  const { body, signature, gameSecrets, nowMs } = request;
  // Read before it is verified, because it says whose secrets to verify it with.
  const said = readJson(body);
  const gameId = gameIdIn(said);
  const secrets = Object.hasOwn(gameSecrets, gameId) ? (gameSecrets[gameId] ?? []) : [];
  const t = signedAt(signature, { body, secrets, nowMs });
  if (t === undefined) return undefined;
  // Not of the header: the same signature can be written in many ways.
  const digest = createHash('sha256').update(`request ${t}.`).update(body).digest();
  return { gameId, said, digest };
}

/** Uses the request up, unless the transaction is rolled back. */
export async function isFirstTime(tx: Tx, { gameId, digest }: SignedRequest): Promise<boolean> {
  return await insertUsedArrival(tx, {
    gameId,
    digest,
    keepSeconds: signatureWindowSeconds * 3,
  });
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function gameIdIn(said: unknown): string {
  if (typeof said !== 'object' || said === null || !('gameId' in said)) return '';
  return typeof said.gameId === 'string' ? said.gameId : '';
}
