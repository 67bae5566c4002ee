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
  /** 32 bytes each, base64. */
  masterKey: string;
  personKey: string;
  personIndexKey: string;
  identityIndexKey: string;
  analyticsKey: string;
  redeemCodeKey: string;
  /** The shared secret with mail, SMS and identity providers of the sandbox. */
  outside: string;
  /** The private key of the shop; Apple has the public key. */
  appleKey: KeyPair;
  /** WeChat Pay has the public key of the merchant, and the private keys of the others. */
  wechatpayKeys: { merchant: KeyPair; certificate: KeyPair; publicKey: KeyPair };
  /** Alipay signs with the first of its two keys, and has the public key of the merchant. */
  alipayKeys: { merchant: KeyPair; first: KeyPair; next: KeyPair };
  /** 32 bytes in hex. */
  adyenHmacKey: string;
};

/** Both halves as PEM. */
export type KeyPair = { privateKey: string; publicKey: string };

/** The secrets of a stack, created on the first start and kept afterwards. */
export function loadOrCreateSecrets(file: string): Secrets {
  mkdirSync(dirname(file), { recursive: true });
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const secrets = makeSecrets(JSON.parse(text));
  const complete = `${JSON.stringify(secrets, null, 2)}\n`;
  // Written atomically, because another process may be reading the file.
  if (complete !== text) {
    const written = `${file}.${process.pid}`;
    writeFileSync(written, complete, { mode: 0o600 });
    renameSync(written, file);
  }
  return secrets;
}

/** Creates all secrets that are missing in `kept`. */
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
    masterKey: key(),
    personKey: key(),
    personIndexKey: key(),
    identityIndexKey: key(),
    analyticsKey: key(),
    redeemCodeKey: key(),
    outside: random(),
    adyenHmacKey: randomBytes(32).toString('hex'),
    appleKey: pemsOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    ...kept,
    // Kept, because creating these takes noticeable time.
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
