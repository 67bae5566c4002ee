import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({ service: 'game', env: process.env, app: await services.game(process.env) });
