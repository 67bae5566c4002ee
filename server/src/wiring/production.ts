import {
  contractsOf,
  isInTestMode,
  type NamedContract,
  takesRealMoney,
} from './payment-contracts.ts';
import type { Config } from './settings.ts';

// Unsafe settings with which a production shop or a rehearsal refuses to start. All are reported at
// once.

interface Unsafe {
  path: readonly string[];
  message: string;
}

const lengthMin = 32;
/** The minimum number of different characters; random text of that length has more. */
const differentMin = 8;

/** Secrets of demos and tests that are published in this repository. */
const published = [
  'a-secret-of-the-game',
  'a pepper that is only for tests, and long',
  'a pepper of at least so many characters',
  'whsec_test',
];

export function unsafeSettings(config: Config): Unsafe[] {
  const secrets = secretsOf(config);
  return [
    ...secrets.flatMap(({ path, value }) =>
      weaknessesOf(value).map((message) => ({ path, message })),
    ),
    ...repeated(secrets),
    ...contractsOf(config).flatMap((contract) =>
      unsafeAccount(contract, config.APP_ENV).map(({ path, message }) => {
        return { path: [...settingOf(contract.name), ...path], message };
      }),
    ),
    ...withoutPartner(config),
  ];
}

interface Secret {
  path: string[];
  value: string | Buffer;
}

/** Secrets that the operator generates. */
function secretsOf(config: Config): Secret[] {
  const one = (path: string[], value: string | Buffer | undefined) =>
    value === undefined ? [] : [{ path, value }];
  const ofSites = Object.entries(config.CRM_SECRETS ?? {});
  const ofGames = Object.entries(config.GAME_SECRETS);
  return [
    ...ofGames.flatMap(([game, values]) =>
      values.map((value, index) => ({ path: ['GAME_SECRETS', game, `${index}`], value })),
    ),
    ...ofSites.flatMap(([site, value]) => one(['CRM_SECRETS', site], value)),
    ...one(['CODE_PEPPER'], config.CODE_PEPPER),
    ...one(['IDENTITY_INDEX_KEY'], config.IDENTITY_INDEX_KEY),
    ...one(['PERSON_INDEX_KEY'], config.PERSON_INDEX_KEY),
    ...one(['REDEEM_CODE_KEY'], config.REDEEM_CODE_KEY),
    ...(config.MASTER_KEYS ?? []).map(({ id, key }) => ({ path: ['MASTER_KEYS', id], value: key })),
    ...(config.PERSON_KEYS ?? []).map(({ id, key }) => ({ path: ['PERSON_KEYS', id], value: key })),
    ...(config.ANALYTICS_KEYS ?? []).map(({ id, key }) => ({
      path: ['ANALYTICS_KEYS', id],
      value: key,
    })),
    ...config.LOGIN_KEYS.map(({ kid, d }) => ({ path: ['LOGIN_KEYS', kid], value: d })),
  ];
}

export function weaknessesOf(value: string | Buffer): string[] {
  const units = [...value];
  return [
    ...(units.length < lengthMin ? [`is shorter than ${lengthMin} characters or bytes`] : []),
    ...(new Set(units).size < differentMin ? ['repeats few characters or bytes'] : []),
    ...(typeof value === 'string' && published.includes(value)
      ? ['stands in the public repository of this shop']
      : []),
  ];
}

/** A secret used for two purposes, or by two games, is known to more parties than necessary. */
function repeated(secrets: readonly Secret[]): Unsafe[] {
  const seen = new Map<string, string>();
  return secrets.flatMap(({ path, value }) => {
    const text = typeof value === 'string' ? value : value.toString('base64');
    const first = seen.get(text);
    if (first !== undefined) return [{ path, message: `is the same secret as ${first}` }];
    seen.set(text, path.join('.'));
    return [];
  });
}

const ownSettings: Readonly<Record<string, readonly string[]>> = {
  stripe: ['STRIPE_SECRET_KEY'],
  paypal: ['PAYPAL'],
  wechatpay: ['WECHATPAY'],
  alipay: ['ALIPAY'],
  adyen: ['ADYEN'],
};

const settingOf = (contract: string) => ownSettings[contract] ?? ['CONTRACTS', contract];

/** What is unsafe about a merchant account, with the path inside it. */
export function unsafeAccount(contract: NamedContract, stage: Config['APP_ENV']): Unsafe[] {
  const unsafe: Unsafe[] = [];
  if (stage === 'rehearsal' && takesRealMoney(contract)) {
    const message =
      'takes real money: a rehearsal has only test accounts, or the addresses of a sandbox';
    unsafe.push({ path: [], message });
  }
  if (stage !== 'rehearsal' && isInTestMode(contract)) {
    const message = 'is a test account: goods would be given for money that nobody paid';
    unsafe.push({ path: [], message });
  }
  if ('notifyUrl' in contract && !isEncrypted(contract.notifyUrl, stage)) {
    const message = 'is not an https address: what the provider tells could be read and changed';
    unsafe.push({ path: ['notifyUrl'], message });
  }
  if (contract.provider === 'adyen') {
    for (const [index, key] of contract.hmacKeys.entries()) {
      const path = ['hmacKeys', `${index}`];
      const messages = weaknessesOf(Buffer.from(key, 'hex'));
      unsafe.push(...messages.map((message) => ({ path, message })));
    }
  }
  if (contract.provider === 'wechatpay' && !(contract.answerSerial in contract.platformKeys)) {
    unsafe.push({ path: ['answerSerial'], message: 'names none of the keys in platformKeys' });
  }
  return unsafe;
}

/** Whether nobody on the way can read the address's traffic. A rehearsal may run on this machine. */
export function isEncrypted(address: string, stage: Config['APP_ENV']): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  return stage === 'rehearsal' && url !== null && /^(.+\.)?localhost$/.test(url.hostname);
}

/** Pairs of settings that are useless, or lose data, without each other. */
function withoutPartner(config: Config): Unsafe[] {
  const hasKeys = config.PERSON_KEYS !== undefined;
  const hasIndex = config.PERSON_INDEX_KEY !== undefined;
  const unpaired =
    hasKeys === hasIndex
      ? []
      : [
          {
            path: [hasKeys ? 'PERSON_INDEX_KEY' : 'PERSON_KEYS'],
            message: 'is missing: PERSON_KEYS and PERSON_INDEX_KEY are set together or not at all',
          },
        ];
  const kids = config.LOGIN_KEYS.map(({ kid }) => kid);
  const twice = new Set(kids).size < kids.length;
  return [
    ...unpaired,
    ...(twice ? [{ path: ['LOGIN_KEYS'], message: 'has two keys of one kid' }] : []),
  ];
}
