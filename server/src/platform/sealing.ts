import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Secret, secret } from './redacted.ts';

// Values that may lie in the database only encrypted: AES-256-GCM, bound to their place.

/** A key of 32 bytes with the name under which encrypted values remember it. */
export interface NamedKey {
  id: string;
  key: Buffer;
}

/** A value as it is stored: encrypted, with the name of the key. */
interface Sealed {
  keyId: string;
  sealed: Buffer;
}

/**
 * The place of a value, such as table and primary key. It is authenticated with the value, which
 * cannot be decrypted for another place.
 */
export type Place = readonly [purpose: string, ...parts: string[]];

export interface Sealing {
  /** The key that encrypts; an older one only decrypts. */
  readonly currentKeyId: string;
  seal(place: Place, value: string): Sealed;
  /** Throws `NotOpened` for another place, a changed value, or a key that is not there. */
  open(place: Place, sealed: Sealed): Secret<string>;
  /** The same value under the current key. */
  reseal(place: Place, sealed: Sealed): Sealed;
}

/** A value that cannot be decrypted. The message names the key and says nothing of the value. */
export class NotOpened extends Error {}

/** The first key encrypts; a second one exists while keys are rotated. */
export function openSealing(keys: readonly NamedKey[]): Sealing {
  const [current] = keys;
  if (current === undefined) throw new Error('there is no master key');
  const seal = (place: Place, value: string): Sealed => ({
    keyId: current.id,
    sealed: encrypt(current.key, Buffer.from(value), contextOf(place, current.id)),
  });
  const open = (place: Place, { keyId, sealed }: Sealed): Secret<string> => {
    const found = keys.find(({ id }) => id === keyId);
    if (found === undefined) throw new NotOpened(`there is no key ${keyId}`);
    try {
      return secret(decrypt(found.key, sealed, contextOf(place, keyId)).toString());
    } catch {
      throw new NotOpened(`the key ${keyId} does not open it`);
    }
  };
  return {
    currentKeyId: current.id,
    seal,
    open,
    reseal: (place, sealed) => seal(place, open(place, sealed).reveal()),
  };
}

/** As JSON, so that no two lists of parts make the same text. */
const contextOf = (place: Place, keyId: string) => JSON.stringify([...place, keyId]);

const algorithm = 'aes-256-gcm';
const formatVersion = 1;
const ivLength = 12;
const authTagLength = 16;

/** `01`, the IV, the ciphertext, the tag. */
export function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength });
  cipher.setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(formatVersion), iv, ciphertext, cipher.getAuthTag()]);
}

export function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < 1 + ivLength + authTagLength || sealed[0] !== formatVersion) {
    throw new Error('an encrypted value has an unknown format');
  }
  const iv = sealed.subarray(1, 1 + ivLength);
  // The tag length is given explicitly, because Node would accept a truncated tag.
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-authTagLength));
  const ciphertext = sealed.subarray(1 + ivLength, -authTagLength);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
