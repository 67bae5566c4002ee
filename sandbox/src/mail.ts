import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({ service: 'mail', env: process.env, app: await services.mail(process.env) });
