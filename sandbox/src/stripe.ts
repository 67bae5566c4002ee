import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({ service: 'stripe', env: process.env, app: await services.stripe(process.env) });
