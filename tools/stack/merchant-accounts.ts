import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Addresses } from './addresses.ts';
import { wechatAppId } from './outside-env.ts';
import type { PaymentProviderName } from './payment-providers.ts';
import type { KeyPair, Secrets } from './secrets.ts';

type Env = Record<string, string>;

/** The settings on both sides of a merchant account with a payment provider. */
interface MerchantAccount {
  /** The settings of the sandbox provider. */
  sandbox: Env;
  /**
   * The settings of the server; read when the provider is running, because it may create some of
   * them.
   */
  server(): Env;
}

export type MerchantAccounts = Record<PaymentProviderName, MerchantAccount>;

/** The merchant account with each sandbox provider; `home` is the folder for their certificates. */
export function merchantAccountsOf(
  addresses: Addresses,
  secrets: Secrets,
  home: string,
): MerchantAccounts {
  return {
    stripe: stripeMerchantAccount(addresses, secrets),
    paypal: paypalMerchantAccount(addresses, secrets, home),
    wechatpay: wechatpayMerchantAccount(addresses, secrets),
    alipay: alipayMerchantAccount(addresses, secrets),
    adyen: adyenMerchantAccount(addresses, secrets),
  };
}

/** The webhook address of an api for a provider. */
export function webhooksOf(api: string, provider: PaymentProviderName): string {
  return `${api}/webhooks/${provider}`;
}

function stripeMerchantAccount({ api, sandbox }: Addresses, secrets: Secrets): MerchantAccount {
  const { stripeSecretKey, stripeWebhookSecret } = secrets;
  return {
    sandbox: {
      STRIPE_SECRET_KEY: stripeSecretKey,
      STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
      WEBHOOK_URL: webhooksOf(api, 'stripe'),
    },
    server: () => ({
      STRIPE_SECRET_KEY: stripeSecretKey,
      STRIPE_WEBHOOK_SECRETS: stripeWebhookSecret,
      STRIPE_API_BASE: sandbox.stripe,
    }),
  };
}

const paypalClient = { id: 'sandbox-client', webhookId: '5GP028458E2496506' };

function paypalMerchantAccount(
  { api, paypalApi }: Addresses,
  secrets: Secrets,
  home: string,
): MerchantAccount {
  const { hostname: host, port } = new URL(paypalApi);
  const root = () => readFileSync(join(home, 'paypal-root.pem'), 'utf8');
  return {
    sandbox: {
      ...paypalSandbox(secrets),
      WEBHOOK_URL: webhooksOf(api, 'paypal'),
      TLS_PORT: port,
      // Kept between starts, because creating them takes a second.
      TLS_FOLDER: home,
    },
    server: () => ({
      PAYPAL: paypalSetting(secrets, { host, port: Number(port), rootCertificate: root() }),
    }),
  };
}

/** The server's setting for a PayPal that is reached and trusted in this way. */
export function paypalSetting(
  { outside }: Secrets,
  route: { host: string; port: number; rootCertificate: string },
): string {
  return JSON.stringify({
    clientId: paypalClient.id,
    clientSecret: outside,
    environment: 'sandbox',
    webhookIds: [paypalClient.webhookId],
    route,
  });
}

export function paypalSandbox({ outside }: Secrets): Env {
  return {
    PAYPAL_CLIENT_ID: paypalClient.id,
    PAYPAL_CLIENT_SECRET: outside,
    PAYPAL_WEBHOOK_ID: paypalClient.webhookId,
  };
}

const wechatpay = {
  mchId: '1900000109',
  merchantSerial: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
  certificateSerial: '7132D72A03E93CDDF8C03BBD1F37EEDF0000FFFF',
  publicKeyId: 'PUB_KEY_ID_0119000001092026111500000001',
};

function wechatpayMerchantAccount({ api, sandbox }: Addresses, secrets: Secrets): MerchantAccount {
  const notifyUrl = webhooksOf(api, 'wechatpay');
  return {
    sandbox: wechatpaySandbox(secrets),
    server: () => ({ WECHATPAY: wechatpaySetting(secrets, notifyUrl, sandbox.wechatpay) }),
  };
}

/** The server's setting for a provider at this address. */
export function wechatpaySetting(secrets: Secrets, notifyUrl: string, apiBase: string): string {
  const { merchant, certificate, publicKey } = secrets.wechatpayKeys;
  return JSON.stringify({
    appId: wechatAppId,
    mchId: wechatpay.mchId,
    merchantSerial: wechatpay.merchantSerial,
    merchantPrivateKey: merchant.privateKey,
    platformKeys: {
      [wechatpay.certificateSerial]: certificate.publicKey,
      [wechatpay.publicKeyId]: publicKey.publicKey,
    },
    answerSerial: wechatpay.publicKeyId,
    apiV3Keys: [apiV3KeyOf(secrets)],
    notifyUrl,
    apiBase,
  });
}

export function wechatpaySandbox(secrets: Secrets): Env {
  const { merchant, certificate, publicKey } = secrets.wechatpayKeys;
  return {
    WECHATPAY_APP_IDS: wechatAppId,
    WECHATPAY_MCH_ID: wechatpay.mchId,
    WECHATPAY_MERCHANT_SERIAL: wechatpay.merchantSerial,
    WECHATPAY_MERCHANT_PUBLIC_KEY: inOneLine(merchant, 'publicKey'),
    WECHATPAY_API_V3_KEYS: apiV3KeyOf(secrets),
    WECHATPAY_CERTIFICATE_SERIAL: wechatpay.certificateSerial,
    WECHATPAY_CERTIFICATE_PRIVATE_KEY: inOneLine(certificate, 'privateKey'),
    WECHATPAY_PUBLIC_KEY_ID: wechatpay.publicKeyId,
    WECHATPAY_PUBLIC_KEY_PRIVATE_KEY: inOneLine(publicKey, 'privateKey'),
  };
}

const alipay = { appId: '2021000122671080', sellerId: '2088102146225135' };

function alipayMerchantAccount({ api, sandbox }: Addresses, secrets: Secrets): MerchantAccount {
  const notifyUrl = webhooksOf(api, 'alipay');
  return {
    sandbox: alipaySandbox(secrets),
    server: () => ({ ALIPAY: alipaySetting(secrets, notifyUrl, sandbox.alipay) }),
  };
}

/** The server's setting for a provider at this address. */
export function alipaySetting({ alipayKeys }: Secrets, notifyUrl: string, base: string): string {
  const { merchant, first, next } = alipayKeys;
  return JSON.stringify({
    ...alipay,
    privateKey: merchant.privateKey,
    alipayPublicKeys: [first.publicKey, next.publicKey],
    notifyUrl,
    gateway: `${base}/gateway.do`,
  });
}

export function alipaySandbox({ alipayKeys }: Secrets): Env {
  const { merchant, first, next } = alipayKeys;
  return {
    ALIPAY_APP_ID: alipay.appId,
    ALIPAY_SELLER_ID: alipay.sellerId,
    ALIPAY_MERCHANT_PUBLIC_KEY: inOneLine(merchant, 'publicKey'),
    ALIPAY_PRIVATE_KEY: inOneLine(first, 'privateKey'),
    ALIPAY_NEXT_PRIVATE_KEY: inOneLine(next, 'privateKey'),
  };
}

const adyenAccount = 'PointgateECOM';

function adyenMerchantAccount({ api, sandbox }: Addresses, secrets: Secrets): MerchantAccount {
  return {
    sandbox: { ...adyenSandbox(secrets), WEBHOOK_URL: webhooksOf(api, 'adyen') },
    server: () => ({ ADYEN: adyenSetting(secrets, sandbox.adyen) }),
  };
}

/** The server's setting for a provider at this address. */
export function adyenSetting({ outside, adyenHmacKey }: Secrets, apiBase: string): string {
  return JSON.stringify({
    apiKey: outside,
    merchantAccount: adyenAccount,
    environment: 'test',
    hmacKeys: [adyenHmacKey],
    apiBase,
  });
}

export function adyenSandbox({ outside, adyenHmacKey }: Secrets): Env {
  return {
    ADYEN_API_KEY: outside,
    ADYEN_MERCHANT_ACCOUNT: adyenAccount,
    ADYEN_HMAC_KEYS: adyenHmacKey,
  };
}

/** 32 bytes. */
function apiV3KeyOf({ outside }: Secrets): string {
  return outside.slice(0, 32);
}

function inOneLine(pair: KeyPair, half: keyof KeyPair): string {
  return pair[half].replaceAll('\n', '\\n');
}
