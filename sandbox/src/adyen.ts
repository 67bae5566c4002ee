import { createAdyenServer } from './adyen/server.ts';
import { required, runProgram } from './platform/program.ts';

const { env } = process;

await runProgram({
  service: 'adyen',
  env,
  app: createAdyenServer({
    apiKey: required(env, 'ADYEN_API_KEY'),
    merchantAccount: required(env, 'ADYEN_MERCHANT_ACCOUNT'),
    hmacKeys: required(env, 'ADYEN_HMAC_KEYS').split(','),
    webhookUrl: env.WEBHOOK_URL === '' ? undefined : env.WEBHOOK_URL,
    webhookTimeoutMs: Number(env.WEBHOOK_TIMEOUT_MS ?? 10_000),
    dataFile: env.DATA_FILE === '' ? undefined : env.DATA_FILE,
    publicUrl: env.PUBLIC_URL === '' ? undefined : env.PUBLIC_URL,
  }),
});
