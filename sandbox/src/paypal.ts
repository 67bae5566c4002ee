import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({ service: 'paypal', env: process.env, app: await services.paypal(process.env) });
