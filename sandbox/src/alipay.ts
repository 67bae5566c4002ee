import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({ service: 'alipay', env: process.env, app: await services.alipay(process.env) });
