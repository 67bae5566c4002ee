// New secrets for compose.yaml, as the content of its .env file: node tools/compose-env.ts > .env
import { randomBytes } from 'node:crypto';
import { gameSecretsOf } from './stack/demo-games.ts';
import { makeSecrets } from './stack/secrets.ts';

const { loginKeys, identityIndexKey, stripeSecretKey, stripeWebhookSecret, gameSecret, ...others } =
  makeSecrets();
const { codePepper, personKey, personIndexKey, analyticsKey, redeemCodeKey } = others;
const values = {
  APP_ENV: 'development',
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  LOGIN_KEYS: JSON.stringify(loginKeys),
  IDENTITY_INDEX_KEY: identityIndexKey,
  STRIPE_SECRET_KEY: stripeSecretKey,
  STRIPE_WEBHOOK_SECRETS: stripeWebhookSecret,
  STRIPE_API_BASE: 'http://stripe:8090',
  GAME_SECRETS: JSON.stringify(gameSecretsOf(gameSecret)),
  GAME_SECRET: gameSecret,
  CODE_PEPPER: codePepper,
  PERSON_KEYS: JSON.stringify([{ id: 'k1', key: personKey }]),
  PERSON_INDEX_KEY: personIndexKey,
  ANALYTICS_KEYS: JSON.stringify([{ id: 'k1', key: analyticsKey }]),
  REDEEM_CODE_KEY: redeemCodeKey,
};
// In single quotes nothing is special to Compose, and no value holds one.
for (const [name, value] of Object.entries(values)) process.stdout.write(`${name}='${value}'\n`);
