import { z } from 'zod';
import { operatorAction } from '../platform/operator-action.ts';
import { listServers } from './server-status.ts';

export const action = operatorAction({
  name: 'servers',
  summary: 'Lists the status of every game server, its end, who changed it last, and why.',
  examples: ['servers'],
  permission: 'servers.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await listServers(db),
});
