import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  productionEnvironment as environment,
  gameSecrets,
  identityKey,
  loginKey as key,
} from '../../test/production.ts';
import { readConfig, readDatabaseUrl, readDatabaseUsers, readSeedConfig } from './config.ts';

const hexOf = (name: string) => createHash('sha256').update(name).digest('hex');
const tencent = {
  secretId: 'AKID1',
  secretKey: 'secret',
  appId: '1400006666',
  sign: 'Solmere',
  templates: { 'zh-CN': '101' },
};
const twilio = { accountSid: 'AC1', authToken: 'secret', from: '+15005550006' };

const personKey = { id: 'k1', key: Buffer.alloc(32).toString('base64') };

test('a configuration with only the required settings is accepted, and all other settings have defaults', () => {
  expect(readConfig(environment)).toEqual({
    APP_ENV: 'production',
    LOG_LEVEL: 'info',
    LOG_SOURCE: 'network',
    HOST: '127.0.0.1',
    PORT: 3000,
    TRUST_PROXY: 0,
    DATABASE_URL: environment.DATABASE_URL,
    DATABASE_CONNECTIONS: 10,
    DATABASE_WAIT_SECONDS: 5,
    LOGIN_KEYS: [key],
    CODE_PEPPER: environment.CODE_PEPPER,
    IDENTITY_INDEX_KEY: identityKey,
    SMS_COUNTRIES: ['CN', 'HK', 'MO', 'TW', 'TH', 'KR', 'JP', 'VN', 'DE', 'US'],
    SMS_PER_DAY_MAX: 2_000,
    SMS_UNANSWERED_MAX: 90,
    ANALYTICS_DAYS: 90,
    ANALYTICS_MB_PER_DAY: 1_024,
    UNPAID_ORDERS_MAX: 30,
    PAYMENT_CALLS_MAX: 60,
    GAME_CALLS_MAX: 100,
    STRIPE_SECRET_KEY: 'sk_live',
    STRIPE_WEBHOOK_SECRETS: ['whsec_new', 'whsec_old'],
    CONTRACTS: {},
    GAME_KEYS: {},
    GAME_SECRETS: { solmere: gameSecrets },
    GAMES_WITH_LIST: [],
    PAYMENT_CHECK_SECONDS: [30, 120, 600, 3600],
    WORKER_POLL_SECONDS: 0.5,
    STOP_DELAY_SECONDS: 0,
    EXIT_WITH_PARENT: false,
  });
});

const paypal = {
  clientId: 'client',
  clientSecret: 'secret',
  environment: 'production',
  webhookIds: ['new', 'old'],
};
const wechatpay = {
  appId: 'wx0123456789abcdef',
  mchId: '1900000109',
  merchantSerial: '5157F09E',
  merchantPrivateKey: '-----BEGIN PRIVATE KEY-----',
  platformKeys: { PUB_KEY_ID_1: '-----BEGIN PUBLIC KEY-----' },
  answerSerial: 'PUB_KEY_ID_1',
  apiV3Keys: ['a'.repeat(32), 'b'.repeat(32)],
  notifyUrl: 'https://shop.example/webhooks/wechatpay',
};

const alipay = {
  appId: '2021000000000001',
  sellerId: '2088000000000001',
  desktop: 'page',
  privateKey: '-----BEGIN PRIVATE KEY-----',
  alipayPublicKeys: ['-----BEGIN PUBLIC KEY-----', '-----BEGIN PUBLIC KEY-----'],
  notifyUrl: 'https://shop.example/webhooks/alipay',
};
const adyen = {
  apiKey: 'key',
  merchantAccount: 'PublisherECOM',
  environment: 'live',
  liveUrlPrefix: '1797a841fbb37ca7-Publisher',
  hmacKeys: [hexOf('new'), hexOf('old').toUpperCase()],
};

test('a configuration with the payment provider settings PAYPAL, WECHATPAY, ALIPAY and ADYEN is accepted', () => {
  const contracts = { PAYPAL: paypal, WECHATPAY: wechatpay, ALIPAY: alipay, ADYEN: adyen };
  const settings = Object.fromEntries(
    Object.entries(contracts).map(([name, contract]) => [name, JSON.stringify(contract)]),
  );
  expect(readConfig({ ...environment, ...settings })).toMatchObject(contracts);
});

test.each<[string, string, object]>([
  ['PAYPAL.route', 'PAYPAL', { ...paypal, route: { host: 'h', port: 1, rootCertificate: 'c' } }],
  ['WECHATPAY.apiBase', 'WECHATPAY', { ...wechatpay, apiBase: 'http://127.0.0.1:1' }],
  ['ALIPAY.gateway', 'ALIPAY', { ...alipay, gateway: 'http://127.0.0.1:1' }],
  ['ADYEN.apiBase', 'ADYEN', { ...adyen, apiBase: 'http://127.0.0.1:1' }],
])(
  'the sandbox setting %s is refused in production and accepted in development',
  (path, name, contract) => {
    const changed = { ...environment, [name]: JSON.stringify(contract) };
    expect(complaintsOf(changed)).toEqual([name]);
    expect(() => readConfig(changed)).toThrow(`${path}: must not be set in production`);
    expect(readConfig({ ...changed, APP_ENV: 'development' })).toMatchObject({ [name]: contract });
  },
);

test.each<[string, string, object]>([
  ['three webhook ids', 'PAYPAL', { ...paypal, webhookIds: ['a', 'b', 'c'] }],
  ['no webhook id', 'PAYPAL', { ...paypal, webhookIds: [] }],
  ['a short key', 'WECHATPAY', { ...wechatpay, apiV3Keys: ['short'] }],
  ['three keys', 'WECHATPAY', { ...wechatpay, apiV3Keys: Array(3).fill('a'.repeat(32)) }],
  ['a query in its notify URL', 'WECHATPAY', { ...wechatpay, notifyUrl: 'https://a.example/?a=1' }],
  ['a malformed seller id', 'ALIPAY', { ...alipay, sellerId: '1088000000000001' }],
  ['three public keys', 'ALIPAY', { ...alipay, alipayPublicKeys: Array(3).fill('-----BEGIN') }],
  ['an HMAC key of half the length', 'ADYEN', { ...adyen, hmacKeys: ['a'.repeat(32)] }],
  ['a colon in its merchant account', 'ADYEN', { ...adyen, merchantAccount: 'a:b' }],
  ['an unknown field', 'PAYPAL', { ...paypal, more: 1 }],
])('a merchant account with %s is refused', (_what, name, contract) => {
  const [complaint] = complaintsOf({ ...environment, [name]: JSON.stringify(contract) });
  expect(complaint).toMatch(new RegExp(`^${name}`));
});

const stripe = { secretKey: 'sk_live_eu', webhookSecrets: ['whsec_eu_new', 'whsec_eu_old'] };
const more = {
  'stripe-eu': { provider: 'stripe', ...stripe },
  'paypal-eu': { provider: 'paypal', ...paypal },
  'wechatpay-cn2': {
    provider: 'wechatpay',
    ...wechatpay,
    notifyUrl: 'https://shop.example/webhooks/wechatpay-cn2',
  },
  'alipay-cn2': {
    provider: 'alipay',
    ...alipay,
    notifyUrl: 'https://shop.example/webhooks/alipay-cn2',
  },
  'adyen-eu-games': { provider: 'adyen', ...adyen },
};
const withContracts = (contracts: object) => ({
  ...environment,
  CONTRACTS: JSON.stringify(contracts),
});

test('a configuration may have several merchant accounts with one payment provider, each with its own name and secrets', () => {
  expect(readConfig(withContracts(more)).CONTRACTS).toEqual(more);
});

test.each<[keyof typeof more, string, object]>([
  ['stripe-eu', 'apiBase', { apiBase: 'http://127.0.0.1:1' }],
  ['paypal-eu', 'route', { route: { host: 'h', port: 1, rootCertificate: 'c' } }],
  ['wechatpay-cn2', 'apiBase', { apiBase: 'http://127.0.0.1:1' }],
  ['alipay-cn2', 'gateway', { gateway: 'http://127.0.0.1:1' }],
  ['adyen-eu-games', 'apiBase', { apiBase: 'http://127.0.0.1:1' }],
])(
  'the merchant account %s with the sandbox field %s is refused in production and accepted in development',
  (name, key, replaced) => {
    const contract = { ...more[name], ...replaced };
    const changed = withContracts({ ...more, [name]: contract });
    expect(() => readConfig(changed)).toThrow(
      `CONTRACTS.${name}.${key}: must not be set in production`,
    );
    expect(complaintsOf(changed)).toEqual(['CONTRACTS']);
    const { CONTRACTS } = readConfig({ ...changed, APP_ENV: 'development' });
    expect(CONTRACTS[name]).toEqual(contract);
  },
);

test.each<[string, string, object]>([
  ['is the name of its provider', 'stripe', more['stripe-eu']],
  ['is the method epoint', 'epoint', more['stripe-eu']],
  ['begins with another provider', 'paypal-eu', more['stripe-eu']],
  ['does not begin with its provider', 'europe-1', more['stripe-eu']],
  ['contains upper-case letters', 'stripe-EU', more['stripe-eu']],
  ['contains a path', 'stripe-eu/../stripe', more['stripe-eu']],
  ['ends with a hyphen', 'stripe-', more['stripe-eu']],
  ['is too long', `stripe-${'a'.repeat(40)}`, more['stripe-eu']],
])('a merchant account whose name %s is refused', (_what, name, contract) => {
  expect(complaintsOf(withContracts({ [name]: contract }))).toEqual(['CONTRACTS']);
});

test.each<[string, object]>([
  ['an unknown provider', { ...more['stripe-eu'], provider: 'gold' }],
  ['three webhook secrets', { ...more['stripe-eu'], webhookSecrets: ['a', 'b', 'c'] }],
  ['no webhook secret', { ...more['stripe-eu'], webhookSecrets: [] }],
  ['no secret key', { provider: 'stripe', webhookSecrets: ['a'] }],
  ['an unknown field', { ...more['stripe-eu'], more: 1 }],
  ['the fields of another provider', { ...more['paypal-eu'], provider: 'stripe' }],
])('an additional merchant account with %s is refused', (_what, contract) => {
  const complaints = complaintsOf(withContracts({ 'stripe-eu': contract }));
  expect([...new Set(complaints)]).toEqual(['CONTRACTS']);
});

test.each<['wechatpay-cn2' | 'alipay-cn2', object]>([
  ['wechatpay-cn2', wechatpay],
  ['alipay-cn2', alipay],
])(
  'the merchant account %s is refused if its notify URL is that of another account',
  (name, other) => {
    const copied = { ...more[name], ...other };
    expect(() => readConfig(withContracts({ [name]: copied }))).toThrow(
      `  CONTRACTS.${name}.notifyUrl: does not lead to /webhooks/${name}`,
    );
  },
);

test.each<[string, NodeJS.ProcessEnv]>([
  ['stripe-eu', { STRIPE_SECRET_KEY: stripe.secretKey }],
  ['paypal-eu', { PAYPAL: JSON.stringify(paypal) }],
  ['wechatpay-cn2', { WECHATPAY: JSON.stringify(wechatpay) }],
  ['alipay-cn2', { ALIPAY: JSON.stringify(alipay) }],
  ['adyen-eu-games', { ADYEN: JSON.stringify(adyen) }],
])(
  'the merchant account %s is refused if it uses the same account at the provider as another merchant account',
  (name, settings) => {
    const twice = { ...withContracts(more), ...settings };
    expect(() => readConfig(twice)).toThrow(
      `  CONTRACTS.${name}: is an account that another contract has`,
    );
    expect(complaintsOf(twice)).toEqual(['CONTRACTS']);
  },
);

test('an empty environment is refused with the names of all missing settings at once', () => {
  expect(() => readConfig({})).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^The configuration is not usable/) }),
  );
  expect(complaintsOf({})).toEqual(['APP_ENV', 'DATABASE_URL', 'LOGIN_KEYS', 'IDENTITY_INDEX_KEY']);
});

test.each([
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['APP_ENV', 'test'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'perhaps'],
  ['TRUST_PROXY', ''],
  ['TRUST_PROXY', '10'],
  ['TRUST_PROXY', '-1'],
  ['TRUST_PROXY', '10.0.0.0/8,'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['COUNTRY_HEADER', 'x-country'], // without a proxy that writes it
  ['DATABASE_URL', 'shop'],
  ['DATABASE_CONNECTIONS', '1'],
  ['DATABASE_WAIT_SECONDS', '0'],
  ['REDIS_URL', 'nowhere'],
  ['LOGIN_KEYS', 'not json'],
  ['LOGIN_KEYS', '[]'],
  ['LOGIN_KEYS', JSON.stringify([key, key, key])],
  ['STRIPE_SECRET_KEY', ''],
  ['STRIPE_WEBHOOK_SECRETS', ''],
  ['STRIPE_WEBHOOK_SECRETS', 'a,b,c'],
  ['GAME_SECRETS', '{"solmere":[]}'],
  ['GAME_SECRETS', '{"solmere":["short"]}'],
  ['GAMES_WITH_LIST', ''],
  ['SMS_TENCENT', JSON.stringify({ ...tencent, templates: { 'en-US': '102' } })],
  ['SMS_TWILIO', JSON.stringify({ ...twilio, accountSid: 'SK1' })],
  ['SMS_TWILIO', JSON.stringify({ ...twilio, region: 'ie1' })],
  ['PERSON_KEYS', '[]'],
  ['MASTER_KEYS', '[]'],
  ['MASTER_KEYS', JSON.stringify([personKey, personKey])],
  ['PERSON_KEYS', '[{"id":"k1","key":"c2hvcnQ="}]'],
  ['PERSON_KEYS', JSON.stringify([personKey, personKey])],
  ['ANALYTICS_KEYS', JSON.stringify([personKey, personKey])],
  ['ANALYTICS_DAYS', '2'],
  ['PERSON_INDEX_KEY', 'not base64 at all, and longer than 32 bytes'],
  ['IDENTITY_INDEX_KEY', 'c2hvcnQ='],
  ['REDEEM_CODE_KEY', 'c2hvcnQ='],
  ['PAYMENT_CHECK_SECONDS', '30,soon'],
  ['CODE_PEPPER', 'short'],
  ['SMS_COUNTRIES', 'cn'],
  ['SMS_COUNTRIES', ''],
  ['SMS_PER_DAY_MAX', '0'],
  ['SMS_UNANSWERED_MAX', 'many'],
  ['UNPAID_ORDERS_MAX', '0'],
  ['BREACHED_PASSWORDS_FILE', ''],
  ['PAYMENT_CHECK_SECONDS', '0'],
  ['WORKER_POLL_SECONDS', '0'],
])('an unusable setting is refused with its name: %s=%s', (name, value) => {
  const broken = { ...environment, APP_ENV: 'development', [name]: value };
  expect(complaintsOf(broken)).toEqual([name]);
});

test('the setting TRUST_PROXY=true is refused with examples of valid values', () => {
  expect(() => readConfig({ ...environment, TRUST_PROXY: 'true' })).toThrow(
    /TRUST_PROXY: is neither the number of proxies .*such as 1, .*such as 10\.0\.0\.0\/8/,
  );
});

test.each([
  ['0', 0],
  ['false', 0],
  ['2', 2],
  ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
])('the setting TRUST_PROXY=%s is accepted as the trusted proxies %j', (text, trusted) => {
  expect(readConfig({ ...environment, TRUST_PROXY: text }).TRUST_PROXY).toEqual(trusted);
});

test('a configuration error does not contain the secrets of the configuration', () => {
  const broken = {
    ...environment,
    LOGIN_KEYS: '{"d":"private-part"',
    GAME_SECRETS: '["a-secret"]',
  };
  expect(() => readConfig(broken)).toThrow(/^(?!.*(private-part|a-secret))/s);
});

test('a configured public key of a game is stored without its private part, and refused if its type is unsupported', () => {
  const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'first' };
  const withKeys = (...keys: object[]) => ({
    ...environment,
    GAME_KEYS: JSON.stringify({ solmere: { keys } }),
  });
  expect(readConfig(withKeys({ ...key, d: 'private', use: 'sig' })).GAME_KEYS).toEqual({
    solmere: { keys: [key] },
  });
  expect(complaintsOf(withKeys({ kty: 'oct', k: 'c2VjcmV0', kid: 'first' }))).toEqual([
    'GAME_KEYS',
  ]);
  expect(complaintsOf(withKeys())).toEqual(['GAME_KEYS']);
});

test('the setting STRIPE_API_BASE is refused in production and accepted in development', () => {
  const standIn = { STRIPE_API_BASE: 'http://127.0.0.1:9' };
  expect(complaintsOf({ ...environment, ...standIn })).toEqual(['STRIPE_API_BASE']);
  expect(readConfig({ ...environment, ...standIn, APP_ENV: 'development' }).STRIPE_API_BASE).toBe(
    standIn.STRIPE_API_BASE,
  );
});

test('the refusal of the setting STRIPE_API_BASE is reported together with all other configuration errors', () => {
  const broken = { ...environment, STRIPE_API_BASE: 'http://127.0.0.1:9', DATABASE_URL: undefined };
  expect(complaintsOf(broken)).toEqual(['DATABASE_URL', 'STRIPE_API_BASE']);
});

test('the setting CODE_PEPPER is required only if the shop sends messages', () => {
  const { CODE_PEPPER: _pepper, ...without } = environment;
  const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'shop@example.com' };
  expect(complaintsOf({ ...without, ...mail })).toEqual(['CODE_PEPPER']);
  expect(complaintsOf({ ...environment, ...mail })).toEqual([]);
  expect(complaintsOf(without)).toEqual([]);
});

test.each([
  ['SMTP_URL', 'http://mail.test'],
  ['SMTP_URL', 'smtp://mail.test?ignoreTLS=true'],
  ['MAIL_FROM', 'Shop <shop@mail.test>'],
])('the mail setting %s=%s is refused', (name, value) => {
  const mail = { SMTP_URL: 'smtps://shop:secret@mail.test', MAIL_FROM: 'shop@mail.test' };
  expect(complaintsOf({ ...environment, ...mail })).toEqual([]);
  expect(complaintsOf({ ...environment, ...mail, [name]: value })).toEqual([name]);
});

test('the settings SMTP_URL and MAIL_FROM are refused without each other', () => {
  expect(complaintsOf({ ...environment, SMTP_URL: 'smtp://mail.test' })).toEqual(['MAIL_FROM']);
  expect(complaintsOf({ ...environment, MAIL_FROM: 'shop@mail.test' })).toEqual(['MAIL_FROM']);
});

test.each([
  ['SMS_TENCENT', tencent, { endpoint: 'http://127.0.0.1:9' }],
  ['SMS_TWILIO', twilio, { base: 'http://127.0.0.1:9' }],
])(
  'the setting %s with the URL of a sandbox is refused in production and accepted in development',
  (name, sms, standIn) => {
    const real = { ...environment, [name]: JSON.stringify(sms) };
    const played = { ...environment, [name]: JSON.stringify({ ...sms, ...standIn }) };
    expect(complaintsOf(real)).toEqual([]);
    expect(complaintsOf(played)).toEqual([name]);
    expect(complaintsOf({ ...played, APP_ENV: 'development' })).toEqual([]);
  },
);

test('the migration program needs the address of a database', () => {
  expect(readDatabaseUrl({ DATABASE_URL: environment.DATABASE_URL })).toBe(
    environment.DATABASE_URL,
  );
  expect(() => readDatabaseUrl({})).toThrow('DATABASE_URL');
});

test('the setting DATABASE_USERS can be omitted, and a malformed user in it is refused', () => {
  expect(readDatabaseUsers({})).toEqual([]);
  const user = { name: 'shop_api', group: 'api', password: 'a-password-of-many-letters' };
  const read = (...users: object[]) => readDatabaseUsers({ DATABASE_USERS: JSON.stringify(users) });
  expect(read(user)).toEqual([user]);
  for (const broken of [{ group: 'owner' }, { password: 'short' }, { name: 'a b' }, { more: 1 }]) {
    expect(() => read({ ...user, ...broken })).toThrow('DATABASE_USERS is not usable');
  }
});

test('the seed program requires the settings of the database, the shop folder, and the portal and game URLs', () => {
  const complete = {
    DATABASE_URL: environment.DATABASE_URL,
    IDENTITY_INDEX_KEY: environment.IDENTITY_INDEX_KEY,
    SHOP_DIR: 'demo/shop',
    PORTAL_URL: 'http://localhost:3000',
    GAME_URL: 'http://localhost:3001',
  };
  expect(readSeedConfig(complete)).toEqual({
    ...complete,
    IDENTITY_INDEX_KEY: identityKey,
    DEMO_IDENTITIES: {},
  });
  const known = { aveline: { FACEBOOK: '1' } };
  expect(readSeedConfig({ ...complete, DEMO_IDENTITIES: JSON.stringify(known) })).toMatchObject({
    DEMO_IDENTITIES: known,
  });
  expect(() => readSeedConfig({})).toThrow(
    /DATABASE_URL[\s\S]*SHOP_DIR[\s\S]*PORTAL_URL[\s\S]*GAME_URL/,
  );
});

function complaintsOf(broken: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(broken);
  } catch (error) {
    const { message } = error as Error; // as: readConfig throws nothing else
    return [...message.matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name = '']) => name);
  }
  return [];
}
