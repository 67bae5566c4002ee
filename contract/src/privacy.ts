import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** How many days a player who closed the account can restore it by signing in. */
export const daysToComeBack = 14;

/** A GET with the session cookie: a file with all data of the account, without an envelope. */
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
    /** The earliest time of erasure; later if an order is still open. */
    erasedAt: z.iso.datetime(),
  }),
  refusals: ['StepUpNeeded'],
});
