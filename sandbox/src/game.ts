import { createGameServer } from './game/server.ts';
import { required, runProgram } from './platform/program.ts';

const { env } = process;

await runProgram({
  service: 'game',
  env,
  app: createGameServer({
    secrets: required(env, 'GAME_SECRETS')
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== ''),
    dataFile: env.DATA_FILE === '' ? undefined : env.DATA_FILE,
  }),
});
