// New secrets for compose.yaml, as the content of its .env file: node tools/compose-env.ts > .env
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoGameIds, gameSecretsOf } from './stack/demo-games.ts';
import {
  adyenSandbox,
  adyenSetting,
  alipaySandbox,
  alipaySetting,
  paypalSandbox,
  paypalSetting,
  webhooksOf,
  wechatpaySandbox,
  wechatpaySetting,
} from './stack/merchant-accounts.ts';
import { startProgram } from './stack/program.ts';
import { makeSecrets } from './stack/secrets.ts';

const secrets = makeSecrets();

const { loginKeys, identityIndexKey, stripeSecretKey, stripeWebhookSecret, gameSecret, ...others } =
  secrets;
const { codePepper, masterKey, personKey, personIndexKey, analyticsKey, redeemCodeKey } = others;
// The addresses within compose.yaml, where each program has a host name.
const api = 'http://api:8080';
const { root, certificates } = await makePaypalCertificates();
const values = {
  APP_ENV: 'development',
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  API_DATABASE_PASSWORD: randomBytes(24).toString('hex'),
  WORKER_DATABASE_PASSWORD: randomBytes(24).toString('hex'),
  LOGIN_KEYS: JSON.stringify(loginKeys),
  IDENTITY_INDEX_KEY: identityIndexKey,
  STRIPE_SECRET_KEY: stripeSecretKey,
  STRIPE_WEBHOOK_SECRETS: stripeWebhookSecret,
  STRIPE_API_BASE: 'http://stripe:8090',
  PAYPAL: paypalSetting(secrets, { host: 'paypal', port: 8443, rootCertificate: root }),
  ...paypalSandbox(secrets),
  PAYPAL_CERTIFICATES: certificates,
  WECHATPAY: wechatpaySetting(secrets, webhooksOf(api, 'wechatpay'), 'http://wechatpay:8093'),
  ...wechatpaySandbox(secrets),
  ALIPAY: alipaySetting(secrets, webhooksOf(api, 'alipay'), 'http://alipay:8094'),
  ...alipaySandbox(secrets),
  ADYEN: adyenSetting(secrets, 'http://adyen:8095'),
  ...adyenSandbox(secrets),
  GAME_SECRETS: JSON.stringify(gameSecretsOf(gameSecret)),
  GAME_SECRET: gameSecret,
  GAMES_WITH_LIST: demoGameIds.join(','),
  CODE_PEPPER: codePepper,
  MASTER_KEYS: JSON.stringify([{ id: 'k1', key: masterKey }]),
  PERSON_KEYS: JSON.stringify([{ id: 'k1', key: personKey }]),
  PERSON_INDEX_KEY: personIndexKey,
  ANALYTICS_KEYS: JSON.stringify([{ id: 'k1', key: analyticsKey }]),
  REDEEM_CODE_KEY: redeemCodeKey,
};
// Compose does not interpret single-quoted values, and no value contains a single quote.
for (const [name, value] of Object.entries(values)) process.stdout.write(`${name}='${value}'\n`);

/**
 * The sandbox PayPal normally makes its certificates itself; here they are made in advance, so that
 * the shop can trust its root.
 */
async function makePaypalCertificates(): Promise<{ root: string; certificates: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'pointgate-paypal-'));
  try {
    const paypal = startProgram({
      name: 'paypal',
      command: process.execPath,
      args: [join(import.meta.dirname, '../sandbox/src/paypal.ts')],
      cwd: folder,
      env: { ...process.env, ...paypalSandbox(secrets), PORT: '0', TLS_FOLDER: folder },
      logs: folder,
    });
    await paypal.ready();
    await paypal.stop();
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { root: read('paypal-root.pem'), certificates: read('paypal-certificates.json') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
