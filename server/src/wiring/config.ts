import { accountTypes } from '@pointgate/contract/accounts.ts';
import { z } from 'zod';
import type { DatabaseUser } from '../platform/grants.ts';
import { type Stage, stages } from '../platform/installation.ts';
import { providersElsewhere } from './identity-clients.ts';
import { jsonOf } from './json-setting.ts';
import { accountsTwice, paymentsElsewhere } from './payment-contracts.ts';
import { unsafeSettings } from './production.ts';
import { type Config, NamedKeys, Settings, SymmetricKey } from './settings.ts';
import { oneSetting, withFiles } from './settings-in-files.ts';

const CheckedSettings = Settings.refine(
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
  })
  .superRefine((config, context) => {
    if (config.APP_ENV === 'development') return;
    for (const path of providersElsewhere(config)) {
      const message = `must not be set in ${config.APP_ENV}: players sign in with the real provider`;
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .superRefine((config, context) => {
    if (config.APP_ENV === 'development') return;
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
  .refine(
    (config) =>
      (config.STRIPE_SECRET_KEY === undefined) === (config.STRIPE_WEBHOOK_SECRETS === undefined),
    {
      message: 'is set together with STRIPE_SECRET_KEY or not at all',
      path: ['STRIPE_WEBHOOK_SECRETS'],
    },
  )
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
  .refine((config) => config.APP_ENV === 'development' || !config.SMS_TENCENT?.endpoint, {
    message:
      'must not name an endpoint in production or a rehearsal: real messages go to the real provider',
    path: ['SMS_TENCENT'],
  })
  .refine((config) => config.APP_ENV === 'development' || !config.SMS_TWILIO?.base, {
    message:
      'must not name a base in production or a rehearsal: real messages go to the real provider',
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
  const parsed = CheckedSettings.safeParse(settings);
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
            stage: stages.find((stage) => stage === APP_ENV),
            hasProxy: !['0', 'false'].includes(trust),
            masterKeys: jsonOf(NamedKeys).safeParse(settings.MASTER_KEYS).data,
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

/** The database that migrations change. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const parsed = z.url().safeParse(oneSetting(environment, 'DATABASE_URL'));
  if (!parsed.success) throw new Error('DATABASE_URL is not set to an address of PostgreSQL');
  return parsed.data;
}

/** The stage that migrations write into the database. */
export function readStage(environment: NodeJS.ProcessEnv = process.env): Stage {
  const parsed = z.enum(stages).safeParse(oneSetting(environment, 'APP_ENV'));
  if (!parsed.success) throw new Error(`APP_ENV is not one of ${stages.join(', ')}`);
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
    .literal('development', 'the demo is for development alone: its passwords are public')
    .optional(),
  DATABASE_URL: z.url(),
  /** The shop folder to seed from. */
  SHOP_DIR: z.string().min(1),
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
