import { createHash } from 'node:crypto';

const hash = (name: string) => createHash('sha256').update(name).digest();

export const loginKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'x',
  y: 'y',
  kid: 'now',
  d: hash('login').toString('base64url'),
};
export const gameSecrets = [
  'today-0123456789abcdef0123456789',
  'tomorrow-0123456789abcdef01234567',
];
export const identityKey = hash('identity');

/** The minimum settings of a shop that sells for real money. */
export const productionEnvironment = {
  APP_ENV: 'production',
  DATABASE_URL: 'postgres://shop@127.0.0.1/shop',
  LOGIN_KEYS: JSON.stringify([loginKey]),
  CODE_PEPPER: 'Xw7 a pepper that no other test has, of 49 letters',
  IDENTITY_INDEX_KEY: identityKey.toString('base64'),
  STRIPE_SECRET_KEY: 'sk_live',
  STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old',
  GAME_SECRETS: JSON.stringify({ solmere: gameSecrets }),
};
