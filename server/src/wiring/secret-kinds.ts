import type { Db } from '../platform/db.ts';
import type { ContentChanges } from '../platform/versioned-cache.ts';
import { openSecrets, type SecretKind, type Secrets } from '../publisher/secrets/secrets.ts';
import { jsonOf } from './json-setting.ts';
import { accountKind } from './merchant-accounts.ts';
import { contractsOf } from './payment-contracts.ts';
import { weaknessesOf } from './production.ts';
import { type Config, KeySet } from './settings.ts';

// The kinds of secrets that operators may set while the shop runs, and those of the settings.

/** Signs calls to a game, and its requests to the shop. */
const signing: SecretKind = {
  owners: 'game',
  name: 'signing',
  rotates: true,
  complaintAbout: (value, owner, inUse) => {
    const [weakness] = weaknessesOf(value);
    const same = inUse
      .filter((other) => other.owner !== owner)
      .find(({ values }) => values.some((each) => each.reveal() === value));
    return weakness ?? (same && `is the same secret as that of ${same.owner}`);
  },
};

/** Public keys of a game that publishes none itself: a set of at most ten. */
const tokenKeys: SecretKind = {
  owners: 'game',
  name: 'token-keys',
  rotates: false,
  complaintAbout: (value) =>
    jsonOf(KeySet).safeParse(value).success
      ? undefined
      : 'is no set of public keys, as in GAME_KEYS',
};

export function openAllSecrets(config: Config, db: Db, changes: ContentChanges): Secrets {
  const ofGames = Object.entries(config.GAME_SECRETS).map(([gameId, values]) => {
    return { owner: `game:${gameId}`, name: signing.name, values };
  });
  const tokensOfGames = Object.entries(config.GAME_KEYS).map(([gameId, keys]) => {
    return { owner: `game:${gameId}`, name: tokenKeys.name, values: [JSON.stringify(keys)] };
  });
  const account = accountKind(config);
  const ofAccounts = contractsOf(config).map(({ name, ...contract }) => {
    return { owner: `contract:${name}`, name: account.name, values: [JSON.stringify(contract)] };
  });
  return openSecrets({
    db,
    changes,
    keys: config.MASTER_KEYS,
    settings: [...ofGames, ...tokensOfGames, ...ofAccounts],
    kinds: [signing, tokenKeys, account],
  });
}

/** The keys that the operator has set for the tokens of a game. */
export async function tokenKeysOf({ of }: Secrets, gameId: string) {
  const [text] = await of({ owner: `game:${gameId}`, name: tokenKeys.name });
  return text === undefined ? undefined : jsonOf(KeySet).parse(text);
}
