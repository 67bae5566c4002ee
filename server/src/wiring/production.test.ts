import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig, readSeedConfig, readStage } from './config.ts';
import { messagesOf } from './outside.ts';

// Each test makes one setting of a safe production configuration unsafe.

const keyOf = (name: string) => createHash('sha256').update(name).digest();
const text = (name: string) => keyOf(name).toString('hex');
const base64 = (name: string) => keyOf(name).toString('base64');

const loginKey = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: text('login'), kid: 'now' };
const paypal = {
  clientId: 'client',
  clientSecret: 'secret',
  environment: 'production',
  webhookIds: ['id'],
};
const adyen = {
  apiKey: 'key',
  merchantAccount: 'Shop',
  environment: 'live',
  liveUrlPrefix: 'p',
  hmacKeys: [text('adyen')],
};
const wechatpay = {
  appId: 'wx0123456789abcdef',
  mchId: '1900000109',
  merchantSerial: '5157F09E',
  merchantPrivateKey: '-----BEGIN PRIVATE KEY-----',
  platformKeys: { PUB_KEY_ID_1: '-----BEGIN PUBLIC KEY-----' },
  answerSerial: 'PUB_KEY_ID_1',
  apiV3Keys: ['k'.repeat(32)],
  notifyUrl: 'https://shop.example/webhooks/wechatpay',
};
const alipay = {
  appId: '2021000000000001',
  sellerId: '2088000000000001',
  privateKey: '-----BEGIN PRIVATE KEY-----',
  alipayPublicKeys: ['-----BEGIN PUBLIC KEY-----'],
  notifyUrl: 'https://shop.example/webhooks/alipay',
};
const good = {
  APP_ENV: 'production',
  DATABASE_URL: 'postgres://shop_api@127.0.0.1/shop',
  TRUST_PROXY: '1',
  LOGIN_KEYS: JSON.stringify([loginKey]),
  CODE_PEPPER: text('pepper'),
  IDENTITY_INDEX_KEY: base64('identity'),
  PERSON_INDEX_KEY: base64('person index'),
  PERSON_KEYS: JSON.stringify([{ id: 'k1', key: base64('person') }]),
  ANALYTICS_KEYS: JSON.stringify([{ id: 'k1', key: base64('analytics') }]),
  REDEEM_CODE_KEY: base64('redeem'),
  CRM_SECRETS: JSON.stringify({ solmere: text('crm') }),
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789',
  PAYPAL: JSON.stringify(paypal),
  ADYEN: JSON.stringify(adyen),
  WECHATPAY: JSON.stringify(wechatpay),
  ALIPAY: JSON.stringify(alipay),
  GAME_SECRETS: JSON.stringify({ solmere: [text('game')], other: [text('other game')] }),
};

test('a safe production configuration is accepted', () => {
  expect(readConfig(good).APP_ENV).toBe('production');
});

const zeros = Buffer.alloc(32).toString('base64');
const ones = Buffer.alloc(32, 1).toString('base64');
const contract = (name: string, more: object) => JSON.stringify({ [name]: more });

const unsafe: [setting: string, reason: string, change: Record<string, string | undefined>][] = [
  ['STRIPE_SECRET_KEY', 'is a test account', { STRIPE_SECRET_KEY: 'sk_test_0123456789' }],
  ['STRIPE_SECRET_KEY', 'is a test account', { STRIPE_SECRET_KEY: 'rk_test_0123456789' }],
  ['STRIPE_API_BASE', 'must not be set', { STRIPE_API_BASE: 'http://stripe:8090' }],
  [
    'PAYPAL',
    'is a test account',
    { PAYPAL: JSON.stringify({ ...paypal, environment: 'sandbox' }) },
  ],
  [
    'PAYPAL.route',
    'must not be set',
    { PAYPAL: JSON.stringify({ ...paypal, route: { host: 'p', port: 1, rootCertificate: 'c' } }) },
  ],
  ['ADYEN', 'is a test account', { ADYEN: JSON.stringify({ ...adyen, environment: 'test' }) }],
  [
    'ADYEN.apiBase',
    'must not be set',
    { ADYEN: JSON.stringify({ ...adyen, apiBase: 'http://a' }) },
  ],
  [
    'ADYEN.hmacKeys.0',
    'repeats few',
    { ADYEN: JSON.stringify({ ...adyen, hmacKeys: ['0'.repeat(64)] }) },
  ],
  [
    'WECHATPAY.notifyUrl',
    'is not an https address',
    { WECHATPAY: JSON.stringify({ ...wechatpay, notifyUrl: 'http://shop/webhooks/wechatpay' }) },
  ],
  [
    'WECHATPAY.answerSerial',
    'names none of the keys',
    { WECHATPAY: JSON.stringify({ ...wechatpay, answerSerial: 'PUB_KEY_ID_2' }) },
  ],
  [
    'WECHATPAY.apiBase',
    'must not be set',
    { WECHATPAY: JSON.stringify({ ...wechatpay, apiBase: 'http://wechatpay' }) },
  ],
  [
    'ALIPAY.notifyUrl',
    'is not an https address',
    { ALIPAY: JSON.stringify({ ...alipay, notifyUrl: 'http://shop/webhooks/alipay' }) },
  ],
  [
    'ALIPAY.gateway',
    'must not be set',
    { ALIPAY: JSON.stringify({ ...alipay, gateway: 'http://alipay' }) },
  ],
  [
    'CONTRACTS.stripe-eu',
    'is a test account',
    {
      CONTRACTS: contract('stripe-eu', {
        provider: 'stripe',
        secretKey: 'sk_test_9',
        webhookSecrets: ['whsec_9'],
      }),
    },
  ],
  [
    'CONTRACTS.paypal-eu',
    'is a test account',
    {
      CONTRACTS: contract('paypal-eu', {
        ...paypal,
        provider: 'paypal',
        clientId: 'other',
        environment: 'sandbox',
      }),
    },
  ],
  [
    'CONTRACTS.adyen-eu',
    'is a test account',
    {
      CONTRACTS: contract('adyen-eu', {
        ...adyen,
        provider: 'adyen',
        merchantAccount: 'Eu',
        environment: 'test',
        hmacKeys: [text('adyen eu')],
      }),
    },
  ],
  ['GAME_SECRETS.solmere.0', 'is shorter', { GAME_SECRETS: '{"solmere":["8letters"]}' }],
  [
    'GAME_SECRETS.solmere.0',
    'repeats few',
    { GAME_SECRETS: JSON.stringify({ solmere: ['ab'.repeat(20)] }) },
  ],
  [
    'GAME_SECRETS.other.0',
    'is the same secret as GAME_SECRETS.solmere.0',
    { GAME_SECRETS: JSON.stringify({ solmere: [text('a')], other: [text('a')] }) },
  ],
  [
    'GAME_SECRETS.solmere.0',
    'stands in the public repository',
    { GAME_SECRETS: '{"solmere":["a-secret-of-the-game"]}' },
  ],
  ['CODE_PEPPER', 'repeats few', { CODE_PEPPER: '0'.repeat(40) }],
  [
    'CODE_PEPPER',
    'stands in the public repository',
    { CODE_PEPPER: 'a pepper that is only for tests, and long' },
  ],
  ['IDENTITY_INDEX_KEY', 'repeats few', { IDENTITY_INDEX_KEY: zeros }],
  ['PERSON_INDEX_KEY', 'repeats few', { PERSON_INDEX_KEY: ones }],
  ['PERSON_INDEX_KEY', 'is missing', { PERSON_INDEX_KEY: undefined }],
  ['PERSON_KEYS', 'is missing', { PERSON_KEYS: undefined }],
  ['PERSON_KEYS.k1', 'repeats few', { PERSON_KEYS: `[{"id":"k1","key":"${zeros}"}]` }],
  [
    'PERSON_KEYS.k1',
    'is the same secret as PERSON_INDEX_KEY',
    { PERSON_KEYS: `[{"id":"k1","key":"${base64('person index')}"}]` },
  ],
  ['REDEEM_CODE_KEY', 'repeats few', { REDEEM_CODE_KEY: zeros }],
  [
    'REDEEM_CODE_KEY',
    'is the same secret as IDENTITY_INDEX_KEY',
    { REDEEM_CODE_KEY: base64('identity') },
  ],
  ['ANALYTICS_KEYS.k1', 'repeats few', { ANALYTICS_KEYS: `[{"id":"k1","key":"${zeros}"}]` }],
  ['CRM_SECRETS.solmere', 'repeats few', { CRM_SECRETS: `{"solmere":"${'x'.repeat(32)}"}` }],
  ['LOGIN_KEYS.now', 'is shorter', { LOGIN_KEYS: JSON.stringify([{ ...loginKey, d: 'short' }]) }],
  [
    'LOGIN_KEYS',
    'has two keys of one kid',
    { LOGIN_KEYS: JSON.stringify([loginKey, { ...loginKey, d: text('next') }]) },
  ],
];

test.each(unsafe)(
  'a production configuration is refused with the name of the setting because %s %s (case %#)',
  (setting, reason, change) => {
    expect(() => readConfig({ ...good, ...change })).toThrow(`  ${setting}: ${reason}`);
  },
);

test.each(unsafe)(
  'a production configuration with one unsafe setting is refused for that setting only: %s %s (case %#)',
  (setting, _reason, change) => {
    const complaints = complaintsOf({ ...good, ...change });
    expect(new Set(complaints)).toEqual(new Set([setting]));
  },
);

test('all unsafe settings of a production configuration are reported at once', () => {
  const names = [
    'STRIPE_SECRET_KEY',
    'IDENTITY_INDEX_KEY',
    'CODE_PEPPER',
    'GAME_SECRETS.solmere.0',
  ];
  const all = complaintsOf({
    ...good,
    STRIPE_SECRET_KEY: 'sk_test_1',
    IDENTITY_INDEX_KEY: zeros,
    CODE_PEPPER: '1'.repeat(32),
    GAME_SECRETS: '{"solmere":["8letters"]}',
  });
  expect(all).toEqual(expect.arrayContaining(names));
});

test('the error about an unsafe secret in a production configuration does not contain the secret', () => {
  const change = { GAME_SECRETS: '{"solmere":["ba-na-na"],"other":["ba-na-na"]}' };
  expect(() => readConfig({ ...good, ...change })).toThrow(/^(?!.*ba-na-na)/s);
});

const rehearsal = {
  ...good,
  APP_ENV: 'rehearsal',
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  PAYPAL: JSON.stringify({ ...paypal, environment: 'sandbox' }),
  ADYEN: JSON.stringify({ ...adyen, environment: 'test' }),
  WECHATPAY: JSON.stringify({ ...wechatpay, apiBase: 'http://wechatpay:8093' }),
  ALIPAY: JSON.stringify({ ...alipay, gateway: 'https://openapi-sandbox.dl.alipaydev.com' }),
};

test('a rehearsal is accepted with test accounts and with the addresses of a sandbox', () => {
  expect(readConfig(rehearsal).APP_ENV).toBe('rehearsal');
  const played = {
    ...rehearsal,
    STRIPE_SECRET_KEY: 'a-key-of-the-sandbox',
    STRIPE_API_BASE: 'http://stripe:8090',
    PAYPAL: JSON.stringify({
      ...paypal,
      environment: 'sandbox',
      route: { host: 'paypal', port: 8443, rootCertificate: 'c' },
    }),
  };
  expect(readConfig(played).APP_ENV).toBe('rehearsal');
});

test.each<[setting: string, change: Record<string, string>]>([
  ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'sk_live_0123456789' }],
  ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'rk_live_0123456789' }],
  ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'sk_live_01', STRIPE_API_BASE: 'http://stripe' }],
  ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'a-key-of-another-kind' }],
  [
    'STRIPE_SECRET_KEY',
    { STRIPE_SECRET_KEY: 'another-kind', STRIPE_API_BASE: 'https://api.stripe.com' },
  ],
  ['PAYPAL', { PAYPAL: JSON.stringify(paypal) }],
  ['ADYEN', { ADYEN: JSON.stringify(adyen) }],
  ['ADYEN', { ADYEN: JSON.stringify({ ...adyen, apiBase: 'http://adyen' }) }],
  ['WECHATPAY', { WECHATPAY: JSON.stringify(wechatpay) }],
  [
    'WECHATPAY',
    { WECHATPAY: JSON.stringify({ ...wechatpay, apiBase: 'https://api2.mch.weixin.qq.com' }) },
  ],
  ['ALIPAY', { ALIPAY: JSON.stringify(alipay) }],
  ['ALIPAY', { ALIPAY: JSON.stringify({ ...alipay, gateway: 'https://openapi.alipay.com/x' }) }],
  [
    'CONTRACTS.paypal-eu',
    { CONTRACTS: contract('paypal-eu', { ...paypal, provider: 'paypal', clientId: 'eu' }) },
  ],
])(
  'a rehearsal is refused with an account that takes real money: %s (case %#)',
  (setting, change) => {
    expect(() => readConfig({ ...rehearsal, ...change })).toThrow(`  ${setting}: takes real money`);
    expect(complaintsOf({ ...rehearsal, ...change })).toEqual([setting]);
  },
);

const heldInRehearsal = unsafe.filter(
  ([, reason]) => reason !== 'is a test account' && reason !== 'must not be set',
);

test.each(heldInRehearsal)(
  'a rehearsal is refused for the same weaknesses as production: %s %s (case %#)',
  (setting, reason, change) => {
    expect(() => readConfig({ ...rehearsal, ...change })).toThrow(`  ${setting}: ${reason}`);
  },
);

test('a rehearsal takes notifications by plain HTTP on localhost alone', () => {
  const notifiedAt = (host: string) => ({
    ...rehearsal,
    ALIPAY: JSON.stringify({
      ...alipay,
      gateway: 'http://alipay',
      notifyUrl: `http://${host}/webhooks/alipay`,
    }),
  });
  expect(complaintsOf(notifiedAt('localhost:8080'))).toEqual([]);
  expect(complaintsOf(notifiedAt('shop.localhost'))).toEqual([]);
  expect(complaintsOf(notifiedAt('notlocalhost'))).toEqual(['ALIPAY.notifyUrl']);
  expect(complaintsOf(notifiedAt('localhost.example'))).toEqual(['ALIPAY.notifyUrl']);
});

test('a rehearsal is refused with identity providers and SMS providers that are simulated', () => {
  const simulated = {
    SMS_TWILIO: { accountSid: 'AC1', authToken: 't', from: 'f', base: 'http://sms' },
    SMS_TENCENT: {
      secretId: 'i',
      secretKey: 'k',
      appId: 'a',
      sign: 's',
      templates: { 'zh-CN': '1' },
      endpoint: 'http://sms',
    },
  };
  for (const [name, value] of Object.entries(simulated)) {
    expect(complaintsOf({ ...rehearsal, [name]: JSON.stringify(value) })).toEqual([name]);
  }
});

test('mail of a rehearsal and of production goes out encrypted, and of development as the server offers', () => {
  const isStrict = (APP_ENV: 'development' | 'rehearsal' | 'production') =>
    messagesOf({ ...readConfig(good), APP_ENV }).isProduction;
  expect([isStrict('development'), isStrict('rehearsal'), isStrict('production')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('migrate needs a known stage', () => {
  expect(readStage({ APP_ENV: 'rehearsal' })).toBe('rehearsal');
  expect(() => readStage({})).toThrow('APP_ENV is not one of development, rehearsal, production');
  expect(() => readStage({ APP_ENV: 'staging' })).toThrow('APP_ENV');
});

test('the seed program is refused in production', () => {
  const seed = {
    DATABASE_URL: good.DATABASE_URL,
    IDENTITY_INDEX_KEY: good.IDENTITY_INDEX_KEY,
    SHOP_DIR: 'demo/shop',
    PORTAL_URL: 'https://shop.example',
    GAME_URL: 'https://game.example',
  };
  expect(() => readSeedConfig({ ...seed, APP_ENV: 'production' })).toThrow('for development alone');
  expect(() => readSeedConfig({ ...seed, APP_ENV: 'rehearsal' })).toThrow('for development alone');
  expect(() => readSeedConfig({ ...seed, APP_ENV: 'development' })).not.toThrow();
});

function complaintsOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    const { message } = error as Error; // as: readConfig throws nothing else
    return [...message.matchAll(/^ {2}(\S+):/gm)].map(([, name = '']) => name);
  }
  return [];
}
