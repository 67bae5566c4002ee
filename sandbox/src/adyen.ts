import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({ service: 'adyen', env: process.env, app: await services.adyen(process.env) });
