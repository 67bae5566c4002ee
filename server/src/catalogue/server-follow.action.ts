import { z } from 'zod';
import { operatorAction } from '../platform/operator-action.ts';
import { followGame, listedServer } from './server-status.ts';

export const action = operatorAction({
  name: 'server-follow',
  summary: "Ends what operators said about a game server: the game's reports count again.",
  examples: ['server-follow solmere s7 --by ines --reason "patch 2.1 is over"'],
  permission: 'servers.switch',
  input: z.strictObject({ gameId: z.string(), serverId: z.string() }),
  positionals: ['gameId', 'serverId'],
  needsReason: true,
  effect: 'changes',
  run: followGame,
  answer: async ({ db }, server) => await listedServer(db, server),
});
