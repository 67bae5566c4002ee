import { runProgram } from './platform/program.ts';
import { services } from './services.ts';

await runProgram({
  service: 'identity',
  env: process.env,
  app: await services.identity(process.env),
});
