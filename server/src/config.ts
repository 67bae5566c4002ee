import { z } from 'zod';

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

const Config = z
  .object({
    APP_ENV: z.enum(['development', 'production']),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    HOST: z.string().default('127.0.0.1'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    /** Set behind a reverse proxy that writes the X-Forwarded headers itself. */
    TRUST_PROXY: z.stringbool().default(false),
    DATABASE_URL: z.url(),
    DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
    REDIS_URL: z.url().optional(),
    /** The built portal; without it the server answers calls only. */
    PORTAL_DIR: z.string().optional(),
    /** Private keys for encrypted bodies, the current one first. */
    LOGIN_KEYS: jsonOf(z.array(PrivateKey).min(1).max(2)),
    STRIPE_SECRET_KEY: z.string().min(1),
    /** Two while a secret is being rotated. */
    STRIPE_WEBHOOK_SECRETS: commaList.pipe(z.array(z.string().min(1)).min(1).max(2)),
    STRIPE_API_BASE: z.url().optional(),
    /** For each game the secrets that sign calls to it; the first one signs. */
    GAME_SECRETS: jsonOf(z.record(z.string(), z.array(z.string().min(8)).min(1).max(2))),
    /** How long after its opening a payment is asked about, if no webhook came. */
    PAYMENT_CHECK_SECONDS: commaList
      .pipe(z.array(z.string().transform(Number).pipe(z.number().positive())).min(1))
      .default([30, 120, 600, 3600]),
    /** Ends with the process that started it; for development. */
    EXIT_WITH_PARENT: z.stringbool().default(false),
  })
  .refine((config) => config.APP_ENV !== 'production' || config.STRIPE_API_BASE === undefined, {
    message: 'must not be set in production: real payments go to the real provider',
    path: ['STRIPE_API_BASE'],
    when: () => true, // said together with what else is wrong
  });

export type Config = z.output<typeof Config>;

/** Reads the environment, once, and says everything that is wrong with it at once. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Config.safeParse(environment);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.map(
    ({ path, message }) => `  ${path.join('.')}: ${message}`,
  );
  throw new Error(`The configuration is not usable:\n${complaints.join('\n')}`);
}

/** All that migrating needs to know. */
export function readDatabaseUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const parsed = z.url().safeParse(environment.DATABASE_URL);
  if (!parsed.success) throw new Error('DATABASE_URL is not set to an address of PostgreSQL');
  return parsed.data;
}

const SeedConfig = z.object({ DATABASE_URL: z.url(), PORTAL_URL: z.url(), GAME_URL: z.url() });

export function readSeedConfig(environment: NodeJS.ProcessEnv = process.env) {
  return SeedConfig.parse(environment);
}
