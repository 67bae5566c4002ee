import { commonSettings, optionalText, required, runProgram } from './platform/program.ts';
import { createStripeServer } from './stripe/server.ts';

const { env } = process;

await runProgram({
  service: 'stripe',
  env,
  app: createStripeServer({
    secretKey: required(env, 'STRIPE_SECRET_KEY'),
    webhookSecret: required(env, 'STRIPE_WEBHOOK_SECRET'),
    webhookUrl: optionalText(env, 'WEBHOOK_URL'),
    webhookRetryBaseMs: Number(env.WEBHOOK_RETRY_BASE_MS ?? 1000),
    ...commonSettings(env, { webhookTimeoutMs: 10_000 }),
  }),
});
