import type { Db, Tx } from './db.ts';
import type { PersonCipher, WrappedKey } from './person-cipher.ts';

/** A wrapped data key, stored in a row of some table. */
export interface StoredKey extends WrappedKey {
  /** The id of the row. */
  id: string;
  personId: string;
}

/** A table with data keys. */
interface KeyStore {
  /** Selects and locks some keys that are wrapped by another key than the current one. */
  lockOld(tx: Tx, some: { currentKeyId: string; rowsMax: number }): Promise<StoredKey[]>;
  update(tx: Tx, key: { id: string } & WrappedKey): Promise<void>;
}

const rotateRowsMax = 200;

/**
 * Rewraps every data key with the current key and returns their number. After that, older keys are
 * not needed any more. Can be interrupted and repeated.
 */
export async function rotateKeys(db: Db, cipher: PersonCipher, store: KeyStore): Promise<number> {
  const { currentKeyId } = cipher;
  for (let total = 0; ; ) {
    const count = await db.transaction(async (tx) => {
      const old = await store.lockOld(tx, { currentKeyId, rowsMax: rotateRowsMax });
      for (const { id, personId, keyId, wrappedKey } of old) {
        await store.update(tx, { id, ...cipher.rewrap(personId, { keyId, wrappedKey }) });
      }
      return old.length;
    });
    if (count === 0) return total;
    total += count;
  }
}
