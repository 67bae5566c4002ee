import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Buyer,
  createOrder,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import { operate } from '../../test/operate.ts';
import { shopEnvironment } from '../../test/processes.ts';
import { methodsOf } from '../../test/routing.ts';
import { eventually, openTestShop, type TestShop, webhookSecret } from '../../test/shop.ts';
import { postWebhook, signed } from '../../test/webhooks.ts';
import { createApi, openShop, type Shop } from './app.ts';
import { readConfig } from './config.ts';
import { accountKind } from './merchant-accounts.ts';

const MASTER_KEYS = JSON.stringify([{ id: 'k1', key: randomBytes(32).toString('base64') }]);
/** A shop whose settings name no merchant account. */
const settings = {
  MASTER_KEYS,
  STRIPE_SECRET_KEY: undefined,
  STRIPE_WEBHOOK_SECRETS: undefined,
  STRIPE_API_BASE: undefined,
};

let shop: TestShop;
let buyer: Buyer;
/** Two further processes, as far as memory and connections go. */
let others: (TestShop & { shop: Shop })[];
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...settings }, { ownUsers: true });
  shop.startWorker();
  buyer = await givenBuyer(shop);
  others = await Promise.all(
    [1, 2].map(async () => {
      const environment = { ...shopEnvironment(shop), LOG_LEVEL: 'silent', ...settings };
      const opened = await openShop(readConfig(environment), 'api');
      const api = await createApi(opened);
      const url = await api.listen({ host: '127.0.0.1', port: 0 });
      return { ...shop, api, url: url.replace('127.0.0.1', 'localhost'), shop: opened };
    }),
  );
});
afterAll(async () => {
  for (const { api, shop: opened } of others) {
    await api.close();
    await opened.close();
  }
  await shop.closeAll();
});

const stripe = (changes: object = {}) => ({
  provider: 'stripe',
  secretKey: 'sk_test',
  webhookSecrets: [webhookSecret],
  apiBase: shop.stripe.url,
  ...changes,
});

const set = async (owner: string, account: unknown) =>
  await operate(shop, ['secret-set', owner, '--by', 'ines'], {
    input: account,
    environment: settings,
  });

const isSet = async (owner: string, account: unknown) => {
  const { status, complaint } = await set(owner, account);
  expect({ status, complaint }).toEqual({ status: 0, complaint: '' });
};

const ping = (secret: string) =>
  signed(
    { id: `evt_${randomUUID()}`, object: 'event', type: 'ping', data: { object: {} } },
    { secret },
  );

/** The HTTP status with which each process answers a webhook that is signed with the secret. */
const answers = async (secret: string, contract = 'stripe') =>
  await Promise.all(
    [shop, ...others].map(async (each) => await postWebhook(each, ping(secret), contract)),
  );

test('a shop without a merchant account offers nothing to pay with, and sells in every process as soon as an operator has set one', async () => {
  expect(await methodsOf(shop, buyer, {})).not.toContain('card');
  expect((await createOrder(shop, buyer)).code).toBe('MethodUnavailable');
  expect(await answers(webhookSecret)).toEqual([404, 404, 404]);

  await isSet('contract:stripe', stripe());
  // At once: a process that does not know the account reads again before it refuses.
  expect(await answers(webhookSecret)).toEqual([200, 200, 200]);
  await eventually(async () => (await methodsOf(shop, buyer, {})).includes('card'));
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
});

describe('a merchant account that is changed while the shop runs', () => {
  test('a webhook signed with a new secret is accepted at once, and one with the secret that was taken out is refused', async () => {
    await isSet('contract:stripe-rotated', stripe({ secretKey: 'sk_rotated' }));
    expect(await answers(webhookSecret, 'stripe-rotated')).toEqual([200, 200, 200]);
    const both = ['whsec_next', webhookSecret];
    await isSet(
      'contract:stripe-rotated',
      stripe({ secretKey: 'sk_rotated', webhookSecrets: both }),
    );
    expect(await answers('whsec_next', 'stripe-rotated')).toEqual([200, 200, 200]);
    const next = ['whsec_next'];
    await isSet(
      'contract:stripe-rotated',
      stripe({ secretKey: 'sk_rotated', webhookSecrets: next }),
    );
    await eventually(async () =>
      (await answers(webhookSecret, 'stripe-rotated')).every((status) => status === 400),
    );
    expect(await answers('whsec_next', 'stripe-rotated')).toEqual([200, 200, 200]);
  });

  test('the adapter of a merchant account is kept while other secrets change, and replaced when its own keys do', async () => {
    const [other] = others;
    const adapter = async () => (await other?.shop.payments.providers('again'))?.get('stripe-kept');
    await isSet('contract:stripe-kept', stripe({ secretKey: 'sk_kept' }));
    const before = await adapter();
    expect(before).toBeDefined();
    await isSet('contract:stripe-second', stripe({ secretKey: 'sk_second' }));
    expect(await adapter()).toBe(before);
    await isSet('contract:stripe-kept', stripe({ secretKey: 'sk_kept_next' }));
    expect(await adapter()).not.toBe(before);
  });

  test('goods paid through a merchant account in test mode are test goods for the game, from the moment that the account is set', async () => {
    const [other] = others;
    expect(await other?.shop.isTestMoney(['stripe-later'])).toBe(false);
    await isSet('contract:stripe-later', stripe({ secretKey: 'sk_test_later' }));
    await eventually(async () => await other?.shop.isTestMoney(['stripe-later']));
  });
});

describe('two names of one merchant account', () => {
  test('a second name for a merchant account is refused, and the refusal repeats no key', async () => {
    await isSet('contract:stripe-first', stripe({ secretKey: 'sk_one_account' }));
    const { status, complaint } = await set(
      'contract:stripe-copied',
      stripe({ secretKey: 'sk_one_account' }),
    );
    expect({ status, complaint }).toEqual({
      status: 1,
      complaint: 'the value on standard input is an account that contract:stripe-first has\n',
    });
  });

  test('a sealed merchant account whose account the settings have under another name is set aside and named', async () => {
    await isSet('contract:stripe-sealed', stripe({ secretKey: 'sk_both' }));
    const CONTRACTS = JSON.stringify({ 'stripe-setting': stripe({ secretKey: 'sk_both' }) });
    const environment = { ...shopEnvironment(shop), LOG_LEVEL: 'silent', ...settings, CONTRACTS };
    const opened = await openShop(readConfig(environment), 'api');
    const known = [...(await opened.payments.providers()).keys()];
    expect(known).toContain('stripe-setting');
    expect(known).not.toContain('stripe-sealed');
    expect(await opened.merchantAccounts.unusable()).toEqual([
      {
        table: 'secrets',
        key: 'contract:stripe-sealed account',
        reason: 'is an account that contract:stripe-setting has',
      },
    ]);
    await opened.close();
  });
});

test('the name of a merchant account in use cannot be given to another account, whose refunds would fail', async () => {
  await isSet('contract:adyen-eu', adyen());
  await isSet('contract:adyen-eu', { ...adyen(), apiKey: 'another key' });
  const { status, complaint } = await set('contract:adyen-eu', {
    ...adyen(),
    merchantAccount: 'UsECOM',
  });
  expect(status).toBe(1);
  expect(complaint).toContain('is another account than the one that contract:adyen-eu names');
});

describe('keys of a merchant account that an operator sets', () => {
  const wechatpay = (merchantPrivateKey: string) => ({
    provider: 'wechatpay',
    appId: 'wx1',
    mchId: '19000001',
    merchantSerial: 'ABCDEF12',
    merchantPrivateKey,
    platformKeys: { one: merchantPrivateKey },
    answerSerial: 'one',
    apiV3Keys: ['0'.repeat(32)],
    notifyUrl: 'https://shop.example/webhooks/wechatpay-cn',
  });
  const broken = '-----BEGIN PRIVATE KEY-----\nsecret-part\n-----END PRIVATE KEY-----';

  test.each<[string, string, unknown]>([
    ['has wrong fields', 'contract:stripe', 'secret-part'],
    ['has wrong fields', 'contract:stripe', { provider: 'secret-part' }],
    ['has wrong fields', 'contract:stripe', { provider: 'stripe', secretKey: 7, 'secret-part': 1 }],
    ['does not begin with adyen-', 'contract:stripe-eu', adyen()],
    ['does not begin with adyen-', 'contract:stripe', adyen()],
    ['notifyUrl does not lead', 'contract:wechatpay-eu', wechatpay(broken)],
    ['has a key that cannot be read', 'contract:wechatpay-cn', wechatpay(broken)],
  ])(
    'a merchant account that %s is refused without repeating it: %s',
    async (why, owner, account) => {
      const { status, complaint, out } = await set(owner, account);
      expect({ status, out }).toEqual({ status: 1, out: '' });
      expect(complaint).toContain(why);
      expect(complaint).not.toContain('secret-part');
    },
  );

  test('a merchant account in test mode, at another host or with a notification without https is refused in production', () => {
    const complaintAbout = (owner: string, account: object) =>
      accountKind({ APP_ENV: 'production' }).complaintAbout(JSON.stringify(account), owner, []);
    const live = { provider: 'stripe', secretKey: 'sk_live_1', webhookSecrets: ['whsec'] };
    expect(complaintAbout('contract:stripe', live)).toBeUndefined();
    expect(complaintAbout('contract:stripe', { ...live, secretKey: 'sk_test_1' })).toMatch(
      /is a test account/,
    );
    expect(complaintAbout('contract:stripe', { ...live, apiBase: 'http://localhost' })).toMatch(
      /apiBase must not be set in production/,
    );
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const plain = {
      ...wechatpay(privateKey),
      notifyUrl: 'http://shop.example/webhooks/wechatpay-cn',
    };
    expect(complaintAbout('contract:wechatpay-cn', plain)).toMatch(/notifyUrl is not an https/);
  });

  test('a rehearsal refuses a sealed merchant account that takes real money, and accepts one in test mode or at a sandbox', () => {
    const complaintAbout = (account: object) =>
      accountKind({ APP_ENV: 'rehearsal' }).complaintAbout(
        JSON.stringify({ provider: 'stripe', webhookSecrets: ['whsec'], ...account }),
        'contract:stripe',
        [],
      );
    expect(complaintAbout({ secretKey: 'sk_live_1' })).toMatch(/takes real money/);
    expect(complaintAbout({ secretKey: 'sk_test_1' })).toBeUndefined();
    const atSandbox = { secretKey: 'sk_sandbox', apiBase: 'http://localhost:8090' };
    expect(complaintAbout(atSandbox)).toBeUndefined();
  });
});

function adyen() {
  return {
    provider: 'adyen',
    apiKey: 'key',
    merchantAccount: 'EuECOM',
    environment: 'test',
    hmacKeys: ['a'.repeat(64)],
  };
}
