import { createHash } from 'node:crypto';
import type { Tx } from '../../platform/db.ts';
import { signatureWindowSeconds, signedAt } from '../../publisher/games/game-signature.ts';
import { type SecretsOf, signingSecretOf } from '../../publisher/secrets/secrets.ts';
import { insertUsedArrival } from './arrivals.queries.ts';

/** The body of a verified request from a game's back end, signed in the last five minutes. */
export interface SignedRequest {
  gameId: string;
  said: unknown;
  signedAt: Date;
  digest: Buffer;
}

/** Undefined if the body was not signed by the game that it names, or not recently. */
export async function readSigned(request: {
  body: Buffer;
  signature: string;
  secretsOf: SecretsOf;
  nowMs: number;
}): Promise<SignedRequest | undefined> {
  const { body, signature, secretsOf, nowMs } = request;
  // Read before verification, because it names the game whose secrets to use.
  const said = readJson(body);
  const gameId = gameIdIn(said);
  const signing = signingSecretOf(gameId);
  const timeBy = (secrets: readonly string[]) => signedAt(signature, { body, secrets, nowMs });
  // The game may have begun to sign with a secret that this process has not heard of yet.
  const t = timeBy(await secretsOf(signing)) ?? timeBy(await secretsOf(signing, 'again'));
  if (t === undefined) return undefined;
  // Not a hash of the header, because the same signature can be written in many ways.
  const digest = createHash('sha256').update(`request ${t}.`).update(body).digest();
  return { gameId, said, signedAt: new Date(t * 1000), digest };
}

/** Marks the request as used; a rollback undoes this. */
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
