import { required, runProgram } from './platform/program.ts';
import { createStripeServer } from './stripe/server.ts';

const { env } = process;

await runProgram({
  service: 'stripe',
  env,
  app: createStripeServer({
    secretKey: required(env, 'STRIPE_SECRET_KEY'),
    webhookSecret: required(env, 'STRIPE_WEBHOOK_SECRET'),
    webhookUrl: env.WEBHOOK_URL === '' ? undefined : env.WEBHOOK_URL,
    webhookRetryBaseMs: Number(env.WEBHOOK_RETRY_BASE_MS ?? 1000),
    webhookTimeoutMs: Number(env.WEBHOOK_TIMEOUT_MS ?? 10_000),
    dataFile: env.DATA_FILE === '' ? undefined : env.DATA_FILE,
    publicUrl: env.PUBLIC_URL === '' ? undefined : env.PUBLIC_URL,
  }),
});
