import { createAdyenServer } from './adyen/server.ts';
import { commonSettings, optionalText, required, runProgram } from './platform/program.ts';

const { env } = process;

await runProgram({
  service: 'adyen',
  env,
  app: createAdyenServer({
    apiKey: required(env, 'ADYEN_API_KEY'),
    merchantAccount: required(env, 'ADYEN_MERCHANT_ACCOUNT'),
    hmacKeys: required(env, 'ADYEN_HMAC_KEYS').split(','),
    webhookUrl: optionalText(env, 'WEBHOOK_URL'),
    ...commonSettings(env, { webhookTimeoutMs: 10_000 }),
  }),
});
