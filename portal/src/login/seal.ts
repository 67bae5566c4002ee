import { encryptionKeys } from '@pointgate/contract/accounts.ts';
import { call } from '../api/client.ts';

/**
 * Encrypts a body for one call, with the server's current key. The path goes inside, so that
 * what was sealed for one call cannot be sent to another; time and id, so that it works once.
 */
export async function seal(content: object, { path }: { path: string }): Promise<{ data: string }> {
  const [{ EncryptJWT, importJWK }, { keys, ts }] = await Promise.all([
    import('jose'), // Late, because only this page needs it.
    call(encryptionKeys, {}),
  ]);
  const [key] = keys;
  if (key === undefined) throw new Error('The server has no key to encrypt with.');

  const data = await new EncryptJWT({ ...content })
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: key.kid })
    .setIssuedAt(ts) // The server's clock: a player's may be years off.
    .setJti(crypto.randomUUID())
    .setAudience(path)
    .encrypt(await importJWK(key, 'ECDH-ES'));
  return { data };
}
