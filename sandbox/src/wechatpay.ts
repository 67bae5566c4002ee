import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({
  service: 'wechatpay',
  env: process.env,
  app: await services.wechatpay(process.env),
});
