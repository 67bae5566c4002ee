import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({ service: 'sms', env: process.env, app: await services.sms(process.env) });
