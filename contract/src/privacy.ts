import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** How long a player who has left can come back by signing in. */
export const daysToComeBack = 14;

/** A GET of it answers a file with everything that is kept of the player's account; it is no call with an envelope. */
export const accountExportPath = '/api/user/account/export';

export const requestExport = endpoint({
  method: 'POST',
  path: accountExportPath,
  summary:
    'Whether the player may have the file with everything now, or has to show who they are first',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({}),
  refusals: ['StepUpNeeded'],
});

export const leaveShop = endpoint({
  method: 'POST',
  path: '/api/user/account/leave',
  summary:
    "Ends all sessions of the account and erases its player's data some days later; signing in keeps it",
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({
    /** Not before; as long as an order is not over, later. */
    erasedAt: z.iso.datetime(),
  }),
  refusals: ['StepUpNeeded'],
});
