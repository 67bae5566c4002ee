import { expect, test } from 'vitest';
import { readConfig, readDatabaseUrl, readSeedConfig } from './config.ts';

const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd', kid: 'now' };
const environment = {
  APP_ENV: 'production',
  DATABASE_URL: 'postgres://shop@127.0.0.1/shop',
  LOGIN_KEYS: JSON.stringify([key]),
  STRIPE_SECRET_KEY: 'sk_live',
  STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old',
  GAME_SECRETS: JSON.stringify({ solmere: ['today-secret', 'tomorrow-secret'] }),
};

test('what is needed is enough, the rest has careful defaults', () => {
  expect(readConfig(environment)).toEqual({
    APP_ENV: 'production',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: 3000,
    TRUST_PROXY: false,
    DATABASE_URL: environment.DATABASE_URL,
    DATABASE_CONNECTIONS: 10,
    LOGIN_KEYS: [key],
    STRIPE_SECRET_KEY: 'sk_live',
    STRIPE_WEBHOOK_SECRETS: ['whsec_new', 'whsec_old'],
    GAME_SECRETS: { solmere: ['today-secret', 'tomorrow-secret'] },
    PAYMENT_CHECK_SECONDS: [30, 120, 600, 3600],
    EXIT_WITH_PARENT: false,
  });
});

test('an empty environment is told everything that is missing, at once', () => {
  expect(() => readConfig({})).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^The configuration is not usable/) }),
  );
  expect(complaintsOf({})).toEqual([
    'APP_ENV',
    'DATABASE_URL',
    'LOGIN_KEYS',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRETS',
    'GAME_SECRETS',
  ]);
});

test.each([
  ['PORT', '65536'],
  ['PORT', 'http'],
  ['APP_ENV', 'test'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'perhaps'],
  ['DATABASE_URL', 'shop'],
  ['DATABASE_CONNECTIONS', '1'],
  ['REDIS_URL', 'nowhere'],
  ['LOGIN_KEYS', 'not json'],
  ['LOGIN_KEYS', '[]'],
  ['LOGIN_KEYS', JSON.stringify([key, key, key])],
  ['STRIPE_SECRET_KEY', ''],
  ['STRIPE_WEBHOOK_SECRETS', ''],
  ['STRIPE_WEBHOOK_SECRETS', 'a,b,c'],
  ['GAME_SECRETS', '{"solmere":[]}'],
  ['GAME_SECRETS', '{"solmere":["short"]}'],
  ['PAYMENT_CHECK_SECONDS', '30,soon'],
  ['PAYMENT_CHECK_SECONDS', '0'],
])('%s=%s is refused by name', (name, value) => {
  expect(complaintsOf({ ...environment, [name]: value })).toEqual([name]);
});

test('a complaint never repeats a secret', () => {
  const broken = {
    ...environment,
    LOGIN_KEYS: '{"d":"private-part"',
    GAME_SECRETS: '["a-secret"]',
  };
  expect(() => readConfig(broken)).toThrow(/^(?!.*(private-part|a-secret))/s);
});

test('a stand-in for the payment provider is refused in production and nowhere else', () => {
  const standIn = { STRIPE_API_BASE: 'http://127.0.0.1:9' };
  expect(complaintsOf({ ...environment, ...standIn })).toEqual(['STRIPE_API_BASE']);
  expect(readConfig({ ...environment, ...standIn, APP_ENV: 'development' }).STRIPE_API_BASE).toBe(
    standIn.STRIPE_API_BASE,
  );
});

test('the stand-in is complained of together with everything else', () => {
  const broken = { ...environment, STRIPE_API_BASE: 'http://127.0.0.1:9', DATABASE_URL: undefined };
  expect(complaintsOf(broken)).toEqual(['DATABASE_URL', 'STRIPE_API_BASE']);
});

test('migrating needs the database and nothing else', () => {
  expect(readDatabaseUrl({ DATABASE_URL: environment.DATABASE_URL })).toBe(
    environment.DATABASE_URL,
  );
  expect(() => readDatabaseUrl({})).toThrow('DATABASE_URL');
});

test('seeding needs to know where the demo is', () => {
  const complete = {
    DATABASE_URL: environment.DATABASE_URL,
    PORTAL_URL: 'http://localhost:3000',
    GAME_URL: 'http://localhost:3001',
  };
  expect(readSeedConfig(complete)).toEqual(complete);
  expect(() => readSeedConfig({})).toThrow(/DATABASE_URL[\s\S]*PORTAL_URL[\s\S]*GAME_URL/);
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
