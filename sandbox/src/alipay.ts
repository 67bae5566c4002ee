import { createAlipayServer } from './alipay/server.ts';
import { commonSettings, required, runProgram } from './platform/program.ts';
import { privateKeyOf, publicKeyOf } from './platform/rsa.ts';

const { env } = process;

await runProgram({
  service: 'alipay',
  env,
  app: createAlipayServer({
    appId: required(env, 'ALIPAY_APP_ID'),
    sellerId: required(env, 'ALIPAY_SELLER_ID'),
    merchantKey: publicKeyOf(required(env, 'ALIPAY_MERCHANT_PUBLIC_KEY')),
    // The key that signs now, and the one that takes over when keys are changed.
    keys: [
      privateKeyOf(required(env, 'ALIPAY_PRIVATE_KEY')),
      privateKeyOf(required(env, 'ALIPAY_NEXT_PRIVATE_KEY')),
    ],
    ...commonSettings(env, { webhookTimeoutMs: 5000 }),
  }),
});
