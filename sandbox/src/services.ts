import type { FastifyInstance } from 'fastify';
import { commonSettings, optionalText, required } from './platform/program.ts';

type Environment = NodeJS.ProcessEnv;

/**
 * The services of the sandbox, configured by environment variables and not yet listening. Their
 * code is loaded on demand, so that a program of one service does not load the others.
 */
export const services = {
  stripe: async (env) => {
    const { createStripeServer } = await import('./stripe/server.ts');
    return createStripeServer({
      secretKey: required(env, 'STRIPE_SECRET_KEY'),
      webhookSecret: required(env, 'STRIPE_WEBHOOK_SECRET'),
      webhookUrl: optionalText(env, 'WEBHOOK_URL'),
      webhookRetryBaseMs: Number(env.WEBHOOK_RETRY_BASE_MS ?? 1000),
      ...commonSettings(env, { webhookTimeoutMs: 10_000 }),
    });
  },
  adyen: async (env) => {
    const { createAdyenServer } = await import('./adyen/server.ts');
    return createAdyenServer({
      apiKey: required(env, 'ADYEN_API_KEY'),
      merchantAccount: required(env, 'ADYEN_MERCHANT_ACCOUNT'),
      hmacKeys: required(env, 'ADYEN_HMAC_KEYS').split(','),
      webhookUrl: optionalText(env, 'WEBHOOK_URL'),
      ...commonSettings(env, { webhookTimeoutMs: 10_000 }),
    });
  },
  alipay: async (env) => {
    const { createAlipayServer } = await import('./alipay/server.ts');
    const { privateKeyOf, publicKeyOf } = await import('./platform/rsa.ts');
    return createAlipayServer({
      appId: required(env, 'ALIPAY_APP_ID'),
      sellerId: required(env, 'ALIPAY_SELLER_ID'),
      merchantKey: publicKeyOf(required(env, 'ALIPAY_MERCHANT_PUBLIC_KEY')),
      // The current signing key, and the next one for a key rotation.
      keys: [
        privateKeyOf(required(env, 'ALIPAY_PRIVATE_KEY')),
        privateKeyOf(required(env, 'ALIPAY_NEXT_PRIVATE_KEY')),
      ],
      ...commonSettings(env, { webhookTimeoutMs: 5000 }),
    });
  },
  wechatpay: async (env) => {
    const { createWechatpayServer } = await import('./wechatpay/server.ts');
    const { privateKeyOf, publicKeyOf } = await import('./platform/rsa.ts');
    return createWechatpayServer({
      appIds: required(env, 'WECHATPAY_APP_IDS').split(','),
      mchId: required(env, 'WECHATPAY_MCH_ID'),
      merchant: {
        serial: required(env, 'WECHATPAY_MERCHANT_SERIAL'),
        key: publicKeyOf(required(env, 'WECHATPAY_MERCHANT_PUBLIC_KEY')),
      },
      apiV3Keys: required(env, 'WECHATPAY_API_V3_KEYS').split(','),
      certificate: {
        serial: required(env, 'WECHATPAY_CERTIFICATE_SERIAL'),
        key: privateKeyOf(required(env, 'WECHATPAY_CERTIFICATE_PRIVATE_KEY')),
      },
      publicKey: {
        serial: required(env, 'WECHATPAY_PUBLIC_KEY_ID'),
        key: privateKeyOf(required(env, 'WECHATPAY_PUBLIC_KEY_PRIVATE_KEY')),
      },
      ...commonSettings(env, { webhookTimeoutMs: 5000 }),
    });
  },
  paypal: async (env) => {
    const { createPaypalServer } = await import('./paypal/server.ts');
    return await createPaypalServer({
      clientId: required(env, 'PAYPAL_CLIENT_ID'),
      clientSecret: required(env, 'PAYPAL_CLIENT_SECRET'),
      webhookId: required(env, 'PAYPAL_WEBHOOK_ID'),
      webhookUrl: optionalText(env, 'WEBHOOK_URL'),
      webhookRetryBaseMs: Number(env.WEBHOOK_RETRY_BASE_MS ?? 1000),
      ...commonSettings(env, { webhookTimeoutMs: 10_000 }),
      tlsPort: Number(env.TLS_PORT ?? 0),
      tlsHost: env.HOST ?? '127.0.0.1',
      tlsFolder: optionalText(env, 'TLS_FOLDER'),
      tlsCertificates: optionalText(env, 'TLS_CERTIFICATES'),
    });
  },
  game: async (env) => {
    const { createGameServer } = await import('./game/server.ts');
    return createGameServer({
      secrets: required(env, 'GAME_SECRETS')
        .split(',')
        .map((secret) => secret.trim())
        .filter((secret) => secret !== ''),
      dataFile: optionalText(env, 'DATA_FILE'),
    });
  },
  identity: async (env) => {
    const { createIdentityServer } = await import('./identity/server.ts');
    const { readClients } = await import('./identity/world.ts');
    return createIdentityServer({
      clients: readClients(env),
      returnAddresses: (env.RETURN_ADDRESSES ?? '').split(',').filter((address) => address !== ''),
    });
  },
  mail: async (env) => {
    const { createMailServer } = await import('./mail/server.ts');
    return createMailServer({
      host: env.HOST ?? '127.0.0.1',
      smtpPort: Number(env.SMTP_PORT ?? 0),
      /** `name:password`; without it no authentication is required. */
      account: optionalText(env, 'SMTP_ACCOUNT'),
      tlsFiles: {
        key: optionalText(env, 'SMTP_TLS_KEY_FILE'),
        cert: optionalText(env, 'SMTP_TLS_CERT_FILE'),
      },
      dataFile: optionalText(env, 'DATA_FILE'),
      /** The secret that verifies links to customer service; without it there is no desk. */
      deskSecret: optionalText(env, 'DESK_SECRET'),
    });
  },
  sms: async (env) => {
    const { createSmsServer } = await import('./sms/server.ts');
    const { textRecord } = await import('./platform/shape.ts');
    return createSmsServer({
      tencent: {
        secretId: required(env, 'TENCENT_SECRET_ID'),
        secretKey: required(env, 'TENCENT_SECRET_KEY'),
        appId: required(env, 'TENCENT_APP_ID'),
        sign: required(env, 'TENCENT_SIGN'),
        templates: textRecord(JSON.parse(required(env, 'TENCENT_TEMPLATES')), 'TENCENT_TEMPLATES'),
      },
      twilio: {
        accountSid: required(env, 'TWILIO_ACCOUNT_SID'),
        authToken: required(env, 'TWILIO_AUTH_TOKEN'),
        from: required(env, 'TWILIO_FROM'),
      },
      dataFile: optionalText(env, 'DATA_FILE'),
    });
  },
} satisfies Record<string, (env: Environment) => Promise<FastifyInstance>>;

export type Service = keyof typeof services;
