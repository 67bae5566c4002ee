import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import { z } from 'zod';
import { operatorAction } from '../platform/operator-action.ts';
import { listedServer, setServerStatus, Until } from './server-status.ts';

export const action = operatorAction({
  name: 'server-open',
  summary: 'Opens a game server again, whatever the game reports.',
  examples: ['server-open solmere s7 --by ines --reason "patch 2.1"'],
  permission: 'servers.switch',
  input: z.strictObject({
    gameId: z.string(),
    serverId: z.string(),
    until: Until.optional(),
  }),
  positionals: ['gameId', 'serverId'],
  needsReason: true,
  effect: 'changes',
  run: async (tx, { until = null, ...server }, performed) =>
    await setServerStatus(tx, server, { ...performed, status: serverStatus.open, until }),
  answer: async ({ db }, server) => await listedServer(db, server),
});
