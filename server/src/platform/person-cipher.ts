import { randomBytes } from 'node:crypto';
import { type BlindIndex, openBlindIndex } from './blind-index.ts';
import { type Secret, secret } from './redacted.ts';
import { decrypt, encrypt, type NamedKey } from './sealing.ts';

export interface WrappedKey {
  keyId: string;
  wrappedKey: Buffer;
}

/**
 * The table, column and person of a value, authenticated with it: it cannot be decrypted for
 * another place.
 */
interface Place {
  table: string;
  column: string;
  personId: string;
}

type DataKey = Secret<Buffer>;

export interface PersonCipher {
  /** The key that wraps new data keys; older keys only unwrap. */
  readonly currentKeyId: string;
  newDataKey(personId: string): { dataKey: DataKey; wrapped: WrappedKey };
  unwrap(personId: string, wrapped: WrappedKey): DataKey;
  /** Wraps the same data key with the current key; values encrypted with it stay valid. */
  rewrap(personId: string, wrapped: WrappedKey): WrappedKey;
  seal(dataKey: DataKey, place: Place, value: string): Buffer;
  open(dataKey: DataKey, place: Place, sealed: Buffer): Secret<string>;
  /** Truncated to half its length. */
  blindIndex: BlindIndex;
}

/** The first key wraps the data keys of persons; a second one exists while keys are rotated. */
export function openPersonCipher(options: {
  keys: readonly NamedKey[];
  indexKey: Buffer;
}): PersonCipher {
  const [current] = options.keys;
  if (current === undefined) throw new Error('there is no person key');
  const wholeIndex = openBlindIndex(options.indexKey);
  const wrap = (personId: string, dataKey: DataKey): WrappedKey => ({
    keyId: current.id,
    wrappedKey: encrypt(current.key, dataKey.reveal(), keyContext(personId, current.id)),
  });
  const unwrap = (personId: string, { keyId, wrappedKey }: WrappedKey): DataKey => {
    const found = options.keys.find(({ id }) => id === keyId);
    if (found === undefined) throw new Error(`there is no person key with the id ${keyId}`);
    return secret(decrypt(found.key, wrappedKey, keyContext(personId, keyId)));
  };
  return {
    currentKeyId: current.id,
    newDataKey: (personId) => {
      const dataKey = secret(randomBytes(32));
      return { dataKey, wrapped: wrap(personId, dataKey) };
    },
    unwrap,
    rewrap: (personId, wrapped) => wrap(personId, unwrap(personId, wrapped)),
    seal: (dataKey, place, value) =>
      encrypt(dataKey.reveal(), Buffer.from(value), fieldContext(place)),
    open: (dataKey, place, sealed) =>
      secret(decrypt(dataKey.reveal(), sealed, fieldContext(place)).toString()),
    blindIndex: (column, normalised) => wholeIndex(column, normalised).subarray(0, 16),
  };
}

const keyContext = (personId: string, keyId: string) => `dek|${personId}|${keyId}`;
const fieldContext = ({ table, column, personId }: Place) => `${table}|${column}|${personId}`;
