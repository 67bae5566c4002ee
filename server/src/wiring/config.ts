import { accountTypes } from '@pointgate/contract/accounts.ts';
import { z } from 'zod';
import type { DatabaseUser } from '../platform/grants.ts';
import { loggedSources } from '../platform/log-source.ts';
import { isNetwork, type TrustProxy } from '../platform/proxies.ts';
import {
  AppleClient,
  FacebookClient,
  GoogleClient,
  providersElsewhere,
  WechatClient,
} from './identity-clients.ts';
import {
  AdyenContract,
  AlipayContract,
  accountsTwice,
  NamedContracts,
  PaypalContract,
  paymentsElsewhere,
  StripeContract,
  WechatpayContract,
} from './payment-contracts.ts';
import { unsafeSettings } from './production.ts';
import { oneSetting, withFiles } from './settings-in-files.ts';

const commaList = z.string().transform((text) => text.split(',').map((part) => part.trim()));

const jsonOf = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown; // as: any to unknown, checked by the next step
      } catch {
        context.addIssue('is not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

const PrivateKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
});

/** Public keys; other fields of a key, such as its private part, are dropped. */
const KeySet = z.object({
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
const SymmetricKey = z
  .base64()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === 32, 'is not 32 bytes');

const NamedKeys = z
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

const Settings = z.object({
  APP_ENV: z.enum(['development', 'production']),
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
  STRIPE_SECRET_KEY: StripeContract.shape.secretKey,
  /** Two while a secret is rotated. */
  STRIPE_WEBHOOK_SECRETS: commaList.pipe(StripeContract.shape.webhookSecrets),
  STRIPE_API_BASE: StripeContract.shape.apiBase,
  /** Contracts with further providers; a payment method without its contract is not offered. */
  PAYPAL: jsonOf(PaypalContract).optional(),
  WECHATPAY: jsonOf(WechatpayContract).optional(),
  ALIPAY: jsonOf(AlipayContract).optional(),
  ADYEN: jsonOf(AdyenContract).optional(),
  /**
   * Further contracts with these providers, by name, for sites that are paid into other accounts.
   */
  CONTRACTS: jsonOf(NamedContracts).default({}),
  /** The secrets that sign calls to each game; the first one signs. */
  GAME_SECRETS: jsonOf(z.record(z.string(), z.array(z.string().min(8)).min(1).max(2))),
  /** Games that answer `recharge.list`, which an audit calls. */
  GAMES_WITH_LIST: commaList.default([]),
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
  /** Clients of identity providers; a sign-in method without its client is not offered. */
  GOOGLE_CLIENT: jsonOf(GoogleClient).optional(),
  APPLE_CLIENT: jsonOf(AppleClient).optional(),
  FACEBOOK_CLIENT: jsonOf(FacebookClient).optional(),
  /** By the app id of the official account. */
  WECHAT_CLIENTS: jsonOf(z.record(z.string().min(1), WechatClient)).optional(),
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

const Config = Settings.refine(
  (config) => config.APP_ENV !== 'production' || config.STRIPE_API_BASE === undefined,
  {
    message: 'must not be set in production: real payments go to the real provider',
    path: ['STRIPE_API_BASE'],
    when: () => true, // reported together with all other errors
  },
)
  .superRefine((config, context) => {
    if (config.APP_ENV !== 'production') return;
    for (const path of paymentsElsewhere(config)) {
      const message = 'must not be set in production: real payments go to the real provider';
      context.addIssue({ code: 'custom', path, message });
    }
    for (const path of providersElsewhere(config)) {
      const message = 'must not be set in production: players sign in with the real provider';
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .superRefine((config, context) => {
    if (config.APP_ENV !== 'production') return;
    for (const { path, message } of unsafeSettings(config)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  })
  .superRefine((config, context) => {
    for (const name of accountsTwice(config)) {
      const message = 'is an account that another contract has';
      context.addIssue({ code: 'custom', path: ['CONTRACTS', name], message });
    }
  })
  .superRefine((config, context) => {
    for (const gameId of config.GAMES_WITH_LIST) {
      if (Object.hasOwn(config.GAME_SECRETS, gameId)) continue;
      const message = `names ${JSON.stringify(gameId)}, for which GAME_SECRETS has no secret`;
      context.addIssue({ code: 'custom', path: ['GAMES_WITH_LIST'], message });
    }
  })
  .refine((config) => config.COUNTRY_HEADER === undefined || config.TRUST_PROXY !== 0, {
    message: 'needs TRUST_PROXY: without a proxy that writes it, anybody can',
    path: ['COUNTRY_HEADER'],
  })
  .refine((config) => config.CODE_PEPPER !== undefined || !sendsCodes(config), {
    message: 'is needed by a shop that sends mail or text messages',
    path: ['CODE_PEPPER'],
  })
  .refine((config) => (config.SMTP_URL === undefined) === (config.MAIL_FROM === undefined), {
    message: 'is set together with SMTP_URL or not at all',
    path: ['MAIL_FROM'],
  })
  .refine((config) => config.APP_ENV !== 'production' || !config.SMS_TENCENT?.endpoint, {
    message: 'must not name an endpoint in production: real messages go to the real provider',
    path: ['SMS_TENCENT'],
  })
  .refine((config) => config.APP_ENV !== 'production' || !config.SMS_TWILIO?.base, {
    message: 'must not name a base in production: real messages go to the real provider',
    path: ['SMS_TWILIO'],
  });

/** The names of all settings. */
export const settingNames = Object.keys(Settings.shape);

const sendsCodes = (ways: { SMTP_URL?: unknown; SMS_TENCENT?: unknown; SMS_TWILIO?: unknown }) =>
  [ways.SMTP_URL, ways.SMS_TENCENT, ways.SMS_TWILIO].some((way) => way !== undefined);

/** Reads the environment once and reports all errors at once. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { config, complaints } = judgeSettings(environment);
  if (config === undefined) throw unusable(complaints);
  return config;
}

/** The validated settings or their errors, and the database with the checks that it needs. */
export function judgeSettings(environment: NodeJS.ProcessEnv = process.env) {
  const { settings, complaints } = withFiles(environment, settingNames);
  const parsed = Config.safeParse(settings);
  const { DATABASE_URL: url, TRUST_PROXY: trust = '0', APP_ENV } = settings;
  const issues = parsed.error?.issues ?? [];
  return {
    config: complaints.length > 0 ? undefined : parsed.data,
    complaints: [
      ...complaints,
      ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    ],
    database:
      url !== undefined && URL.canParse(url)
        ? {
            url,
            isProduction: APP_ENV === 'production',
            hasProxy: !['0', 'false'].includes(trust),
            personKeys: (jsonOf(NamedKeys).safeParse(settings.PERSON_KEYS).data ?? []).map(
              ({ id }) => id,
            ),
          }
        : undefined,
  };
}

export function unusable(complaints: readonly string[]): UnusableConfig {
  const lines = complaints.map((complaint) => `  ${complaint}`);
  return new UnusableConfig(`The configuration is not usable:\n${lines.join('\n')}`);
}

/** A configuration error, whose message needs no stack trace. */
export class UnusableConfig extends Error {}

/** The only setting that migrations need. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const parsed = z.url().safeParse(oneSetting(environment, 'DATABASE_URL'));
  if (!parsed.success) throw new Error('DATABASE_URL is not set to an address of PostgreSQL');
  return parsed.data;
}

const DatabaseUsers = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z][a-z\d_]{0,62}$/),
    group: z.enum(['api', 'worker', 'auditor', 'reader']),
    /** Letters and digits, which SASLprep does not change before hashing. */
    password: z.string().regex(/^[\w-]{16,200}$/),
  }),
);

/** The database users that migrations create; none if they are created elsewhere. */
export function readDatabaseUsers(environment: NodeJS.ProcessEnv = process.env): DatabaseUser[] {
  const parsed = jsonOf(DatabaseUsers).safeParse(oneSetting(environment, 'DATABASE_USERS') ?? '[]');
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
  throw new Error(`DATABASE_USERS is not usable: ${complaints.join('; ')}`);
}

const SeedConfig = z.object({
  APP_ENV: z
    .literal('development', 'the demo is not for production: its passwords are public')
    .optional(),
  DATABASE_URL: z.url(),
  /** Without them the demo players have no real names. */
  PERSON_KEYS: jsonOf(NamedKeys).optional(),
  PERSON_INDEX_KEY: SymmetricKey.optional(),
  IDENTITY_INDEX_KEY: SymmetricKey,
  /** Without it the demo has no redeem codes. */
  REDEEM_CODE_KEY: SymmetricKey.optional(),
  PORTAL_URL: z.url(),
  GAME_URL: z.url(),
  WECHAT_APP_ID: z.string().optional(),
  /** The customer service address of the demo. */
  CRM_URL: z.url().optional(),
  /** Where the demo games can be started; nowhere if missing. */
  PLAY_URL: z.url().optional(),
  /** By login name, the subjects of the demo players at each identity provider. */
  DEMO_IDENTITIES: jsonOf(
    z.record(z.string(), z.partialRecord(z.enum(accountTypes), z.string())),
  ).default({}),
});

export const seedSettingNames = Object.keys(SeedConfig.shape);

export function readSeedConfig(environment: NodeJS.ProcessEnv = process.env) {
  return SeedConfig.parse(environment);
}
