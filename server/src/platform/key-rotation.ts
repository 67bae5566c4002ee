import type { Db, Tx } from './db.ts';
import type { PersonCipher, WrappedKey } from './person-cipher.ts';

/** A data key that lies in a row of some table. */
export interface StoredKey extends WrappedKey {
  /** Of the row. */
  id: string;
  personId: string;
}

/** Where data keys lie. */
interface KeyStore {
  /** Some that another key than the current one wraps, locked. */
  lockOld(tx: Tx, some: { currentKeyId: string; rowsMax: number }): Promise<StoredKey[]>;
  update(tx: Tx, key: { id: string } & WrappedKey): Promise<void>;
}

const rotateRowsMax = 200;

/**
 * Wraps every data key with the current key; answers how many it was. After that an older key is
 * needed by nobody. May be stopped and run again.
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
