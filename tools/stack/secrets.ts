import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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
  appleKey: KeyPair;
  /** WeChat Pay has the public half of the merchant's, and the private halves of the others. */
  wechatpayKeys: { merchant: KeyPair; certificate: KeyPair; publicKey: KeyPair };
  /** Alipay signs with the first of its two, and has the public half of the merchant's. */
  alipayKeys: { merchant: KeyPair; first: KeyPair; next: KeyPair };
  /** 32 bytes in hex. */
  adyenHmacKey: string;
};

/** Both halves as PEM. */
export type KeyPair = { privateKey: string; publicKey: string };

/** The secrets of one stack, made when they are first needed and the same from then on. */
export function keepSecrets(file: string): Secrets {
  mkdirSync(dirname(file), { recursive: true });
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const secrets = makeSecrets(JSON.parse(text));
  const complete = `${JSON.stringify(secrets, null, 2)}\n`;
  // Whole or not at all: another process may read it at this moment.
  if (complete !== text) {
    const written = `${file}.${process.pid}`;
    writeFileSync(written, complete, { mode: 0o600 });
    renameSync(written, file);
  }
  return secrets;
}

/** All that are not kept from before. */
export function makeSecrets(kept: Partial<Secrets> = {}): Secrets {
  const random = () => randomBytes(24).toString('hex');
  const key = () => randomBytes(32).toString('base64');
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
    adyenHmacKey: randomBytes(32).toString('hex'),
    appleKey: pemsOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    ...kept,
    // These take long enough to be missed at every start.
    wechatpayKeys: kept.wechatpayKeys ?? {
      merchant: rsaPair(),
      certificate: rsaPair(),
      publicKey: rsaPair(),
    },
    alipayKeys: kept.alipayKeys ?? { merchant: rsaPair(), first: rsaPair(), next: rsaPair() },
  };
}

function rsaPair(): KeyPair {
  return pemsOf(generateKeyPairSync('rsa', { modulusLength: 2048 }));
}

function pemsOf({ privateKey, publicKey }: KeyPairKeyObjectResult): KeyPair {
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
