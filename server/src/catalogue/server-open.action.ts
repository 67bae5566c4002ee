import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import { z } from 'zod';
import { operatorAction } from '../platform/operator-action.ts';
import { listedServer, setServerStatus } from './server-status.ts';

export const action = operatorAction({
  name: 'server-open',
  summary: 'Opens a game server again.',
  examples: ['server-open solmere s7 --by ines --reason "patch 2.1"'],
  permission: 'servers.switch',
  input: z.strictObject({ gameId: z.string(), serverId: z.string() }),
  positionals: ['gameId', 'serverId'],
  needsReason: true,
  effect: 'changes',
  run: async (tx, server, { by, reason, at }) =>
    await setServerStatus(tx, server, { status: serverStatus.open, by, reason, at }),
  answer: async ({ db }, server) => await listedServer(db, server),
});
