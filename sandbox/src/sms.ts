import { required, runProgram } from './platform/program.ts';
import { textRecord } from './platform/shape.ts';
import { createSmsServer } from './sms/server.ts';

const { env } = process;

await runProgram({
  service: 'sms',
  env,
  app: createSmsServer({
    tencent: {
      secretId: required(env, 'TENCENT_SECRET_ID'),
      secretKey: required(env, 'TENCENT_SECRET_KEY'),
      appId: required(env, 'TENCENT_APP_ID'),
      sign: required(env, 'TENCENT_SIGN'),
      templates: textRecord(JSON.parse(required(env, 'TENCENT_TEMPLATES')), 'TENCENT_TEMPLATES'),
    },
    twilio: {
      accountSid: required(env, 'TWILIO_ACCOUNT_SID'),
      authToken: required(env, 'TWILIO_AUTH_TOKEN'),
      from: required(env, 'TWILIO_FROM'),
    },
    dataFile: env.DATA_FILE === '' ? undefined : env.DATA_FILE,
  }),
});
