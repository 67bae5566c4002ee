import { createIdentityServer } from './identity/server.ts';
import { readClients } from './identity/world.ts';
import { runProgram } from './platform/program.ts';

const { env } = process;

await runProgram({
  service: 'identity',
  env,
  app: createIdentityServer({
    clients: readClients(env),
    returnAddresses: (env.RETURN_ADDRESSES ?? '').split(',').filter((address) => address !== ''),
  }),
});
