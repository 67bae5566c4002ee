import { createPaypalServer } from './paypal/server.ts';
import { commonSettings, optionalText, required, runProgram } from './platform/program.ts';

const { env } = process;

await runProgram({
  service: 'paypal',
  env,
  app: await createPaypalServer({
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
  }),
});
