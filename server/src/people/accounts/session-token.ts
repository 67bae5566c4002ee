import { isId } from '../../platform/ids.ts';
import { hashSecret, newSecret } from '../../platform/secrets.ts';

/**
 * The value of the session cookie: the account id, by which the session is found, and 256 random
 * bits, of which the database stores only the hash.
 */
export interface SessionToken {
  accountId: string;
  tokenHash: Buffer;
}

export function newSessionToken(accountId: string): { value: string; tokenHash: Buffer } {
  const secret = newSecret();
  return { value: `${accountId}.${secret}`, tokenHash: hashSecret(secret) };
}

export function readSessionToken(value: string): SessionToken | undefined {
  const [, accountId, secret] = /^([\da-f-]{36})\.([\w-]{43})$/.exec(value) ?? [];
  if (accountId === undefined || secret === undefined) return undefined;
  if (!isId(accountId)) return undefined;
  return { accountId, tokenHash: hashSecret(secret) };
}
