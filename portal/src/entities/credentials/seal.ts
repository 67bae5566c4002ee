import { encryptionKeys } from '@pointgate/contract/accounts.ts';
import { call } from '../../shared/api/client.ts';

/**
 * Encrypts a body for one call with the current key of the server. The encrypted path prevents its
 * use for another endpoint; time and id prevent a replay.
 */
export async function seal(content: object, { path }: { path: string }): Promise<{ data: string }> {
  const [{ EncryptJWT, importJWK }, { keys, ts }] = await Promise.all([
    import('jose'), // Loaded on demand: only few pages need it.
    call(encryptionKeys, {}),
  ]);
  const [key] = keys;
  if (key === undefined) throw new Error('The server has no key to encrypt with.');

  const data = await new EncryptJWT({ ...content })
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: key.kid })
    .setIssuedAt(ts) // The server time: the clock of a player may be wrong.
    .setJti(crypto.randomUUID())
    .setAudience(path)
    .encrypt(await importJWK(key, 'ECDH-ES'));
  return { data };
}
