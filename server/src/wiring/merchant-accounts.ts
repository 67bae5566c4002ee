import { openProvider } from '../money/psp/providers.ts';
import type { PaymentProvider, Providers } from '../money/psp/psp.ts';
import type { Db } from '../platform/db.ts';
import { nameOnce, type UnusableRow } from '../platform/readable-rows.ts';
import type { SecretInUse, SecretKind, Secrets } from '../publisher/secrets/secrets.ts';
import { jsonOf } from './json-setting.ts';
import {
  accountOf,
  isOtherAccount,
  isTestAccount,
  misnamed,
  NamedContract,
  replacedHosts,
} from './payment-contracts.ts';
import { unsafeAccount } from './production.ts';
import type { Config } from './settings.ts';

// The merchant accounts of the settings and those that operators have sealed in the database. An
// adapter is made anew when the keys of its account change, and kept while they do not.

type Contract = NamedContract & { name: string };

export interface MerchantAccounts {
  providers: Providers;
  contracts(): Promise<readonly Contract[]>;
  /** The names of those that take only test payments. */
  testAccounts(): Promise<ReadonlySet<string>>;
  /** Sealed accounts that cannot be used. */
  unusable(): Promise<UnusableRow[]>;
}

/** All keys of a merchant account, as JSON like an entry of CONTRACTS. */
export function accountKind(config: Pick<Config, 'APP_ENV'>): SecretKind {
  return {
    owners: 'contract',
    name: 'account',
    rotates: false,
    complaintAbout: (value, owner, inUse) => {
      const found = readAccount(config, { owner, value });
      if ('complaint' in found) return found.complaint;
      for (const known of inUse) {
        const contract = parse(known.values[0]?.reveal() ?? '');
        if (contract === undefined) continue;
        if (known.owner === owner && isOtherAccount(contract, found.contract)) {
          return `is another account than the one that ${owner} names: payments keep its name`;
        }
        if (known.owner !== owner && accountOf(contract) === accountOf(found.contract)) {
          return `is an account that ${known.owner} has`;
        }
      }
      return undefined;
    },
  };
}

interface Known {
  accounts: readonly { contract: Contract; provider: PaymentProvider; value: string }[];
  providers: ReadonlyMap<string, PaymentProvider>;
  testAccounts: ReadonlySet<string>;
  unusable: UnusableRow[];
}

export function openMerchantAccounts(
  config: Pick<Config, 'APP_ENV'>,
  { db, secrets }: { db: Db; secrets: Secrets },
): MerchantAccounts {
  let read: { from: readonly SecretInUse[]; known: Known } | undefined;
  const know = async (reading?: 'again'): Promise<Known> => {
    const from = await secrets.all('account', reading);
    if (read?.from === from) return read.known;
    read = { from, known: knownFrom(config, from, read?.known) };
    for (const row of read.known.unusable) nameOnce(db, row);
    return read.known;
  };
  return {
    providers: async (reading) => (await know(reading)).providers,
    contracts: async () => (await know()).accounts.map(({ contract }) => contract),
    testAccounts: async () => (await know()).testAccounts,
    unusable: async () => (await know('again')).unusable,
  };
}

function knownFrom(
  config: Pick<Config, 'APP_ENV'>,
  secrets: readonly SecretInUse[],
  before: Known | undefined,
): Known {
  const accounts: Known['accounts'][number][] = [];
  const unusable: UnusableRow[] = [];
  const owners = new Map<string, string>();
  for (const { owner, source, values } of secrets) {
    const [value = ''] = values.map((each) => each.reveal());
    const name = nameOf(owner);
    const kept = before?.accounts.find((each) => each.contract.name === name);
    const found =
      kept?.value === value
        ? kept
        : readAccount(config, { owner, value, isChecked: source === 'environment' });
    if ('complaint' in found) {
      unusable.push({ table: 'secrets', key: `${owner} account`, reason: found.complaint });
      continue;
    }
    const account = accountOf(found.contract);
    const first = owners.get(account);
    if (first === undefined) {
      owners.set(account, owner);
      accounts.push({ ...found, value });
    } else {
      const reason = `is an account that ${first} has`;
      unusable.push({ table: 'secrets', key: `${owner} account`, reason });
    }
  }
  return {
    accounts,
    unusable,
    providers: new Map(accounts.map(({ contract, provider }) => [contract.name, provider])),
    testAccounts: new Set(
      accounts
        .map(({ contract }) => contract)
        .filter(isTestAccount)
        .map(({ name }) => name),
    ),
  };
}

const nameOf = (owner: string) => owner.slice(owner.indexOf(':') + 1);

const parse = (value: string) => jsonOf(NamedContract).safeParse(value).data;

/** An account with its adapter, or what is wrong with it, after `is` or `has`. */
function readAccount(
  { APP_ENV }: Pick<Config, 'APP_ENV'>,
  { owner, value, isChecked = false }: { owner: string; value: string; isChecked?: boolean },
): { contract: Contract; provider: PaymentProvider } | { complaint: string } {
  const parsed = jsonOf(NamedContract).safeParse(value);
  if (!parsed.success) return { complaint: `has wrong fields: ${fieldsIn(parsed.error.issues)}` };
  const name = nameOf(owner);
  const contract = { ...parsed.data, name };
  // The program has started with those of the settings, so they have been checked.
  const [complaint] = isChecked ? [] : complaintsAbout(name, parsed.data, APP_ENV);
  if (complaint !== undefined) return { complaint };
  try {
    return { contract, provider: openProvider(contract) };
  } catch (error) {
    if (isChecked) throw error;
    // The message of the error could repeat a part of a key.
    return { complaint: 'has a key that cannot be read' };
  }
}

function complaintsAbout(
  name: string,
  contract: NamedContract,
  environment: Config['APP_ENV'],
): string[] {
  const unsafe = environment === 'development' ? [] : unsafeAccount(contract, environment);
  const replaced = environment === 'production' ? replacedHosts(contract) : [];
  const named = name === contract.provider ? [] : misnamed(name, contract);
  const elsewhere = replaced.map((field) => {
    return { path: [field], message: 'must not be set in production' };
  });
  return [...named, ...unsafe, ...elsewhere].map(({ path, message }) =>
    path.length === 0 ? message : `has a wrong field: ${path.join('.')} ${message}`,
  );
}

/** Names fields and never values: a key in a wrong place could be the name of a field, too. */
function fieldsIn(issues: readonly { code: string; path: PropertyKey[]; message: string }[]) {
  return issues
    .map(({ code, path, message }) => {
      const field = path.join('.') || 'all of it';
      return `${field}: ${code === 'unrecognized_keys' ? 'has an unknown field' : message}`;
    })
    .slice(0, 5)
    .join('; ');
}
