// New secrets for compose.yaml, as the content of its .env file: node tools/compose-env.ts > .env
import { randomBytes } from 'node:crypto';
import { makeSecrets } from './stack/secrets.ts';

const { loginKeys, stripeSecretKey, stripeWebhookSecret, gameSecret } = makeSecrets();
const values = {
  APP_ENV: 'development',
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  LOGIN_KEYS: JSON.stringify(loginKeys),
  STRIPE_SECRET_KEY: stripeSecretKey,
  STRIPE_WEBHOOK_SECRETS: stripeWebhookSecret,
  STRIPE_API_BASE: 'http://stripe:8090',
  GAME_SECRETS: JSON.stringify({ solmere: [gameSecret] }),
  GAME_SECRET: gameSecret,
};
// In single quotes nothing is special to Compose, and no value holds one.
for (const [name, value] of Object.entries(values)) process.stdout.write(`${name}='${value}'\n`);
