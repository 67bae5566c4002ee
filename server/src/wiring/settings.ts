import { z } from 'zod';
import { stages } from '../platform/installation.ts';
import { loggedSources } from '../platform/log-source.ts';
import { isNetwork, type TrustProxy } from '../platform/proxies.ts';
import { identitySettings } from './identity-clients.ts';
import { jsonOf } from './json-setting.ts';
import {
  AdyenContract,
  AlipayContract,
  NamedContracts,
  PaypalContract,
  StripeContract,
  WechatpayContract,
} from './payment-contracts.ts';

const commaList = z.string().transform((text) => text.split(',').map((part) => part.trim()));

const PrivateKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
});

/** Public keys; other fields of a key, such as its private part, are dropped. */
export const KeySet = z.object({
  keys: z
    .array(
      z.discriminatedUnion('kty', [
        z.object({
          kty: z.literal('OKP'),
          crv: z.literal('Ed25519'),
          x: z.string(),
          kid: z.string(),
        }),
        PrivateKey.omit({ d: true }),
      ]),
    )
    .min(1)
    .max(10),
});

/** 256 bits, in base64. */
export const SymmetricKey = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === 32, 'is not 32 bytes');

export const NamedKeys = z
  .array(z.object({ id: z.string().regex(/^[\w-]{1,32}$/), key: SymmetricKey }))
  .min(1)
  .max(2)
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'has an id twice');

/** The number of proxies, or their networks. */
const TrustedProxies = z.string().transform((text, context): TrustProxy => {
  if (/^\d$/.test(text)) return Number(text);
  if (text === 'false') return 0;
  const networks = text.split(',').map((part) => part.trim());
  if (networks.every(isNetwork)) return networks;
  context.addIssue(
    'is neither the number of proxies in front of the shop, such as 1, nor a list of their networks, such as 10.0.0.0/8,fd00::/8; true is refused because it would believe what anybody sends',
  );
  return z.NEVER;
});

/** Without a query string, which could disable TLS. */
const SmtpUrl = z
  .url({ protocol: /^smtps?$/ })
  .refine((url) => !/[?#]/.test(url), 'takes no options');

const TencentSms = z.strictObject({
  secretId: z.string().min(1),
  secretKey: z.string().min(1),
  appId: z.string().min(1),
  /** The approved signature name in front of each message. */
  sign: z.string().min(1),
  /** Approved templates of verification messages by locale: {1} is the code, {2} the minutes. */
  templates: z
    .record(z.string(), z.string().min(1))
    .refine((templates) => 'zh-CN' in templates, 'needs a text in zh-CN'),
  endpoint: z.url().optional(),
});

const TwilioSms = z.strictObject({
  accountSid: z.string().startsWith('AC'),
  authToken: z.string().min(1),
  from: z.string().min(1),
  base: z.url().optional(),
});

export const Settings = z.object({
  /** The stage of the installation, which `migrate` writes into its database. */
  APP_ENV: z.enum(stages),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** The source address in the log: an address is personal data in many countries. */
  LOG_SOURCE: z.enum(loggedSources).default('network'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Reverse proxies in front of the api, which append to the X-Forwarded headers. */
  TRUST_PROXY: TrustedProxies.default(0),
  /** The header in which that proxy sends the country of a request, such as `cf-ipcountry`. */
  COUNTRY_HEADER: z
    .string()
    .regex(/^[a-z\d-]+$/)
    .optional(),
  DATABASE_URL: z.url(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
  /** The timeout for a connection or a lock, after which a player gets SystemBusy. */
  DATABASE_WAIT_SECONDS: z.coerce.number().int().min(1).max(600).default(5),
  REDIS_URL: z.url().optional(),
  /** The built portal; without it the server only answers calls. */
  PORTAL_DIR: z.string().optional(),
  /** Private keys for encrypted bodies, the current one first. */
  LOGIN_KEYS: jsonOf(z.array(PrivateKey).min(1).max(2)),
  STRIPE_SECRET_KEY: StripeContract.shape.secretKey.optional(),
  /** Two while a secret is rotated. */
  STRIPE_WEBHOOK_SECRETS: commaList.pipe(StripeContract.shape.webhookSecrets).optional(),
  STRIPE_API_BASE: StripeContract.shape.apiBase,
  /**
   * Contracts with further providers; a payment method without its contract is not offered.
   * Contracts may be sealed in the database instead.
   */
  PAYPAL: jsonOf(PaypalContract).optional(),
  WECHATPAY: jsonOf(WechatpayContract).optional(),
  ALIPAY: jsonOf(AlipayContract).optional(),
  ADYEN: jsonOf(AdyenContract).optional(),
  /**
   * Further contracts with these providers, by name, for sites that are paid into other accounts.
   */
  CONTRACTS: jsonOf(NamedContracts).default({}),
  /**
   * The keys that secrets in the database are sealed under; the first one seals, two while they are
   * rotated. Secrets of the settings win over those.
   */
  MASTER_KEYS: jsonOf(NamedKeys).optional(),
  /** The secrets that sign calls to each game; the first one signs. */
  GAME_SECRETS: jsonOf(z.record(z.string(), z.array(z.string().min(8)).min(1).max(2))).default({}),
  /** Games that answer `recharge.list`, which an audit calls. */
  GAMES_WITH_LIST: commaList.pipe(z.array(z.string().min(1))).default([]),
  /** Public keys of games whose tokens are accepted, unless the game publishes its keys. */
  GAME_KEYS: jsonOf(z.record(z.string(), KeySet)).default({}),
  /** Keys that encrypt real-name data; the first one encrypts, two while they are rotated. */
  PERSON_KEYS: jsonOf(NamedKeys).optional(),
  /**
   * The key of the blind index of real-name data. It is never rotated: all data would have to be
   * imported again.
   */
  PERSON_INDEX_KEY: SymmetricKey.optional(),
  /**
   * The key of the blind index of addresses and phone numbers. With another key nobody can sign in
   * with them.
   */
  IDENTITY_INDEX_KEY: SymmetricKey,
  /**
   * The key of the blind index of redeem codes. With another key no existing code can be redeemed.
   */
  REDEEM_CODE_KEY: SymmetricKey.optional(),
  /** Without a mail server, features that need mail are not offered; the same applies to SMS. */
  SMTP_URL: SmtpUrl.optional(),
  MAIL_FROM: z.email().optional(),
  SMS_TENCENT: jsonOf(TencentSms).optional(),
  SMS_TWILIO: jsonOf(TwilioSms).optional(),
  /** Hashes codes before they are stored; required if the shop sends codes. */
  CODE_PEPPER: z.string().min(32).optional(),
  /** Countries to which codes are texted. Each further country increases the risk of SMS fraud. */
  SMS_COUNTRIES: commaList
    .pipe(z.array(z.string().regex(/^[A-Z]{2}$/)).min(1))
    .default(['CN', 'HK', 'MO', 'TW', 'TH', 'KR', 'JP', 'VN', 'DE', 'US']),
  /** The maximum number of text messages in 24 hours. */
  SMS_PER_DAY_MAX: z.coerce.number().int().min(1).default(2_000),
  /**
   * The maximum number of texted codes in 24 hours that were not entered; an entered code
   * compensates for three.
   */
  SMS_UNANSWERED_MAX: z.coerce.number().int().min(1).default(90),
  /** One password per line; instead of our own short list. */
  BREACHED_PASSWORDS_FILE: z.string().min(1).optional(),
  ...identitySettings,
  /** By site, the secret that signs links to its customer service. */
  CRM_SECRETS: jsonOf(z.record(z.string(), z.string().min(32))).optional(),
  /**
   * Master keys for the keys with which browsers sign events; two while they are rotated. Without
   * them no events are collected.
   */
  ANALYTICS_KEYS: jsonOf(NamedKeys).optional(),
  /** How many days events are kept. */
  ANALYTICS_DAYS: z.coerce.number().int().min(3).max(3_650).default(90),
  /**
   * The maximum size of a day's events on disk. A network may use a quarter of it, a device a 64th.
   */
  ANALYTICS_MB_PER_DAY: z.coerce.number().int().min(1).max(1_000_000).default(1_024),
  /**
   * Limits per account: open unpaid orders, payment calls per hour, and game calls in five minutes.
   */
  UNPAID_ORDERS_MAX: z.coerce.number().int().min(1).default(30),
  PAYMENT_CALLS_MAX: z.coerce.number().int().min(1).default(60),
  GAME_CALLS_MAX: z.coerce.number().int().min(1).default(100),
  /** The polling times of a payment after its opening, if no webhook arrived. */
  PAYMENT_CHECK_SECONDS: commaList
    .pipe(z.array(z.string().transform(Number).pipe(z.number().positive())).min(1))
    .default([30, 120, 600, 3600]),
  /** The polling interval of a worker for jobs; for due work it is twice as long. */
  WORKER_POLL_SECONDS: z.coerce.number().min(0.02).max(60).default(0.5),
  /** The port of the worker's health checks; the api answers them on its own port. */
  HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** How long a stopping program reports not ready before it refuses new calls. */
  STOP_DELAY_SECONDS: z.coerce.number().min(0).max(300).default(0),
  /** Exits when its parent process exits; for development. */
  EXIT_WITH_PARENT: z.stringbool().default(false),
});

export type Config = z.output<typeof Settings>;
