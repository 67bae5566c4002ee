import { commonSettings, required, runProgram } from './platform/program.ts';
import { privateKeyOf, publicKeyOf } from './platform/rsa.ts';
import { createWechatpayServer } from './wechatpay/server.ts';

const { env } = process;

await runProgram({
  service: 'wechatpay',
  env,
  app: createWechatpayServer({
    appIds: required(env, 'WECHATPAY_APP_IDS').split(','),
    mchId: required(env, 'WECHATPAY_MCH_ID'),
    merchant: {
      serial: required(env, 'WECHATPAY_MERCHANT_SERIAL'),
      key: publicKeyOf(required(env, 'WECHATPAY_MERCHANT_PUBLIC_KEY')),
    },
    apiV3Keys: required(env, 'WECHATPAY_API_V3_KEYS').split(','),
    certificate: {
      serial: required(env, 'WECHATPAY_CERTIFICATE_SERIAL'),
      key: privateKeyOf(required(env, 'WECHATPAY_CERTIFICATE_PRIVATE_KEY')),
    },
    publicKey: {
      serial: required(env, 'WECHATPAY_PUBLIC_KEY_ID'),
      key: privateKeyOf(required(env, 'WECHATPAY_PUBLIC_KEY_PRIVATE_KEY')),
    },
    ...commonSettings(env, { webhookTimeoutMs: 5000 }),
  }),
});
