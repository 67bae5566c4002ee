import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type Secrets = {
  /** Private EC keys in JWK form, for the encrypted bodies of logins. */
  loginKeys: Record<string, unknown>[];
  stripeSecretKey: string;
  stripeWebhookSecret: string;
  gameSecret: string;
  codePepper: string;
  /** 32 bytes each, in base64. */
  personKey: string;
  personIndexKey: string;
  identityIndexKey: string;
  analyticsKey: string;
  redeemCodeKey: string;
  /** What the world outside knows the shop by, for mail, messages and sign-ins elsewhere. */
  outside: string;
  /** Apple has the public half of it. */
  appleKey: { privateKey: string; publicKey: string };
};

/** The secrets of one stack, made when they are first needed and the same from then on. */
export function keepSecrets(file: string): Secrets {
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const secrets: Secrets = { ...makeSecrets(), ...kept };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

export function makeSecrets(): Secrets {
  const random = () => randomBytes(24).toString('hex');
  const key = () => randomBytes(32).toString('base64');
  const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(8).toString('hex');
  return {
    loginKeys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ECDH-ES', use: 'enc' }],
    stripeSecretKey: `sk_test_${random()}`,
    stripeWebhookSecret: `whsec_${random()}`,
    gameSecret: random(),
    codePepper: random(),
    personKey: key(),
    personIndexKey: key(),
    identityIndexKey: key(),
    analyticsKey: key(),
    redeemCodeKey: key(),
    outside: random(),
    appleKey: {
      privateKey: apple.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKey: apple.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
  };
}
