import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

// What a game's SDK does when the player opens the shop from the game: it signs the player's
// identity.

const kinds = {
  EdDSA: () => generateKeyPairSync('ed25519'),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};

export type TokenAlg = keyof typeof kinds;
export const tokenAlgs: readonly TokenAlg[] = ['EdDSA', 'ES256'];

type TokenKey = { kid: string; alg: TokenAlg; privateKey: KeyObject; publicKey: KeyObject };

export type TokenKeys = readonly TokenKey[];

/** New keys, one for each algorithm, kept for the lifetime of the program. */
export function createTokenKeys(): TokenKeys {
  return tokenAlgs.map((alg) => ({ kid: randomUUID(), alg, ...kinds[alg]() }));
}

/** The JSON Web Key Set with which others verify the game's tokens. */
export function publicKeysOf(keys: TokenKeys): object {
  return {
    keys: keys.map(({ kid, alg, publicKey }) => ({
      ...publicKey.export({ format: 'jwk' }),
      kid,
      alg,
      use: 'sig',
    })),
  };
}

export function signToken(
  keys: TokenKeys,
  input: {
    gameId: string;
    gameAccountId: string;
    alg: TokenAlg;
    seconds: number;
    /** The player's name; any JSON value, because games may write what they like. */
    name?: unknown;
  },
): string {
  const key = keys.find(({ alg }) => alg === input.alg);
  if (key === undefined) throw new Error(`no key for ${input.alg}`);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: input.gameId,
    aud: 'portal',
    sub: input.gameAccountId,
    iat: now,
    exp: now + input.seconds,
    jti: randomUUID(),
    ...(input.name === undefined ? {} : { name: input.name }),
  };
  const signed = `${encoded({ alg: key.alg, kid: key.kid, typ: 'JWT' })}.${encoded(claims)}`;
  const signature =
    key.alg === 'EdDSA'
      ? sign(null, Buffer.from(signed), key.privateKey)
      : sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
