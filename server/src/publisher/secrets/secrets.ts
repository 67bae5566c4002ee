import type { Db } from '../../platform/db.ts';
import { nameOnce, type UnusableRow } from '../../platform/readable-rows.ts';
import { type Secret, secret } from '../../platform/redacted.ts';
import { type NamedKey, NotOpened, openSealing, type Sealing } from '../../platform/sealing.ts';
import { type ContentChanges, cacheContent } from '../../platform/versioned-cache.ts';
import { type SealedRow, type SecretName, selectSealed, selectSecrets } from './secrets.queries.ts';

// Secrets that are shared with games and payment providers: in the settings, or sealed in the
// database, where they can be added and replaced while the shop runs.

/**
 * The secrets in use, the one that signs first; empty if there is none. `again` reads the database
 * first, for a signature that fits none of those known so far.
 */
export type SecretsOf = (wanted: SecretName, reading?: 'again') => Promise<readonly string[]>;

/** What is known of a kind of secret without its value. */
export interface SecretKind {
  /** The part of the owner before the colon. */
  owners: string;
  name: string;
  /**
   * Whether two of them may be in use, so that both sides need not change at the same moment.
   * Otherwise the value itself has room for two.
   */
  rotates: boolean;
  /**
   * What is wrong with a new value of an owner beside all secrets of this name in use, said after
   * `is` or `has` and without the value.
   */
  complaintAbout(value: string, owner: string, inUse: readonly SecretInUse[]): string | undefined;
}

export interface SecretsOptions {
  db: Db;
  changes?: ContentChanges;
  /** MASTER_KEYS. */
  keys: readonly NamedKey[] | undefined;
  /** Secrets of the settings, which win: a sealed secret of this name is not used. */
  settings: readonly (SecretName & { values: readonly string[] })[];
  /** The first kind of an owner is the one that operators mean if they name none. */
  kinds: readonly SecretKind[];
}

/** Where a secret in use comes from. */
type SecretSource = 'environment' | 'sealed';

export interface SecretInUse extends SecretName {
  source: SecretSource;
  values: readonly Secret<string>[];
}

export interface Secrets {
  of: SecretsOf;
  /** All secrets of a name in use; the same object as long as none has changed. */
  all(name: string, reading?: 'again'): Promise<readonly SecretInUse[]>;
  /** Every version with who set it and when, and where the one in use comes from. */
  list(): Promise<ListedSecret[]>;
  /** Sealed rows that cannot be opened. */
  unusable(): Promise<UnusableRow[]>;
  isInSettings(wanted: SecretName): boolean;
  /** Undefined without MASTER_KEYS. */
  sealing: Sealing | undefined;
  kinds: readonly SecretKind[];
}

/** The secret that signs calls to and from a game. */
export const signingSecretOf = (gameId: string): SecretName => {
  return { owner: `game:${gameId}`, name: 'signing' };
};

interface ListedSecret extends SecretName {
  inUse: SecretSource | 'none';
  versions: { version: number; state: SealedRow['state'] | 'retired'; by: string; at: string }[];
}

const keyOf = ({ owner, name }: SecretName) => `${owner} ${name}`;

/** The place that a sealed secret is bound to. */
export const placeOf = ({ owner, name, version }: SecretName & { version: number }) =>
  ['secrets', owner, name, String(version)] as const;

export function openSecrets({ db, changes, keys, settings, kinds }: SecretsOptions): Secrets {
  const sealing = keys === undefined ? undefined : openSealing(keys);
  const inSettings = new Map(
    settings.map(({ values, ...named }): [string, SecretInUse] => [
      keyOf(named),
      { ...named, source: 'environment', values: values.map(secret) },
    ]),
  );
  const cached = cacheContent(db, { topic: 'secrets', changes }, async () => {
    const { opened, unusable } = openRows(await selectSealed(db), sealing);
    for (const row of unusable) nameOnce(db, row);
    const sealed = [...opened.entries()].filter(([key]) => !inSettings.has(key));
    const inUse = new Map([...inSettings, ...sealed]);
    return { inUse, byName: Map.groupBy(inUse.values(), ({ name }) => name), unusable };
  });
  const read = (reading?: 'again') => (reading === 'again' ? cached.readAgain() : cached.read());

  return {
    sealing,
    kinds,
    isInSettings: (wanted) => inSettings.has(keyOf(wanted)),
    of: async (wanted, reading) => {
      const key = keyOf(wanted);
      const known =
        inSettings.get(key) ??
        (reading === 'again' ? undefined : (await cached.read()).inUse.get(key));
      // An owner that this process does not know may be new.
      const found = known ?? (await cached.readAgain()).inUse.get(key);
      return found?.values.map((value) => value.reveal()) ?? [];
    },
    all: async (name, reading) => (await read(reading)).byName.get(name) ?? none,
    unusable: async () => (await cached.readAgain()).unusable,
    list: async () => {
      const { inUse } = await cached.readAgain();
      const rows = Map.groupBy(await selectSecrets(db), keyOf);
      return [...new Set([...inUse.keys(), ...rows.keys()])].toSorted().map((key) => {
        const [owner = '', name = ''] = key.split(' ');
        const versions = (rows.get(key) ?? []).map(({ version, state, set_by, set_at }) => {
          return { version, state, by: set_by, at: set_at.toISOString() };
        });
        return { owner, name, inUse: inUse.get(key)?.source ?? 'none', versions };
      });
    },
  };
}

const none: readonly SecretInUse[] = [];

/** Sealed secrets that these keys do not open, for a program that starts. */
export async function unusableSecrets(
  db: Db,
  keys: readonly NamedKey[] | undefined,
): Promise<UnusableRow[]> {
  return openRows(await selectSealed(db), keys === undefined ? undefined : openSealing(keys))
    .unusable;
}

interface OpenedRows {
  opened: Map<string, SecretInUse>;
  unusable: UnusableRow[];
}

/** A row that cannot be opened harms only its own owner. */
function openRows(rows: readonly SealedRow[], sealing: Sealing | undefined): OpenedRows {
  const unusable: UnusableRow[] = [];
  const opened = new Map<string, SecretInUse>();
  for (const row of rows) {
    const { owner, name, version } = row;
    try {
      if (sealing === undefined) throw new NotOpened('MASTER_KEYS is missing');
      const value = sealing.open(placeOf(row), { keyId: row.key_id, sealed: row.sealed });
      const values = [...(opened.get(keyOf(row))?.values ?? []), value];
      opened.set(keyOf(row), { owner, name, source: 'sealed', values });
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      unusable.push({ table: 'secrets', key: `${keyOf(row)} ${version}`, reason: error.message });
    }
  }
  return { opened, unusable };
}
