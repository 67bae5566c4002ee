import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export type Secrets = {
  /** Private EC keys in JWK form, for the encrypted bodies of logins. */
  loginKeys: Record<string, unknown>[];
  stripeSecretKey: string;
  stripeWebhookSecret: string;
  gameSecret: string;
};

/** The secrets of one stack, made on its first start and the same from then on. */
export function keepSecrets(file: string): Secrets {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Secrets; // as: written below
  const secrets = makeSecrets();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

export function makeSecrets(): Secrets {
  const random = () => randomBytes(24).toString('hex');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomBytes(8).toString('hex');
  return {
    loginKeys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'ECDH-ES', use: 'enc' }],
    stripeSecretKey: `sk_test_${random()}`,
    stripeWebhookSecret: `whsec_${random()}`,
    gameSecret: random(),
  };
}
