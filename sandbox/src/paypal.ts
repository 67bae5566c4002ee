import { createPaypalServer } from './paypal/server.ts';
import { required, runProgram } from './platform/program.ts';

const { env } = process;

await runProgram({
  service: 'paypal',
  env,
  app: await createPaypalServer({
    clientId: required(env, 'PAYPAL_CLIENT_ID'),
    clientSecret: required(env, 'PAYPAL_CLIENT_SECRET'),
    webhookId: required(env, 'PAYPAL_WEBHOOK_ID'),
    webhookUrl: env.WEBHOOK_URL === '' ? undefined : env.WEBHOOK_URL,
    webhookRetryBaseMs: Number(env.WEBHOOK_RETRY_BASE_MS ?? 1000),
    webhookTimeoutMs: Number(env.WEBHOOK_TIMEOUT_MS ?? 10_000),
    dataFile: env.DATA_FILE === '' ? undefined : env.DATA_FILE,
    publicUrl: env.PUBLIC_URL === '' ? undefined : env.PUBLIC_URL,
    tlsPort: Number(env.TLS_PORT ?? 0),
    tlsHost: env.HOST ?? '127.0.0.1',
    tlsFolder: env.TLS_FOLDER === '' ? undefined : env.TLS_FOLDER,
    tlsCertificates: env.TLS_CERTIFICATES === '' ? undefined : env.TLS_CERTIFICATES,
  }),
});
