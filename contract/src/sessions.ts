import * as z from 'zod/mini';
import { Device } from './device.ts';
import { endpoint } from './endpoint.ts';
import { Slug } from './names.ts';

/** Where an account is signed in. There is one session for each site. */
export const PlayerSession = z.strictObject({
  siteId: Slug,
  siteTitle: z.string(),
  /** What it was last used with, as that says itself. */
  device: Device,
  startedAt: z.iso.datetime(),
  /** When it was last used, to the hour; not yet, where it says nothing. */
  seenAt: z.nullable(z.iso.datetime()),
  /** When it ends by itself. */
  endsAt: z.iso.datetime(),
  /** Begun by a link from a game, and not by signing in. */
  isByLink: z.boolean(),
  /** The one that asks. */
  isThis: z.boolean(),
});
export type PlayerSession = z.output<typeof PlayerSession>;

export const listSessions = endpoint({
  method: 'POST',
  path: '/api/user/session/list',
  summary: "The account's live sessions on all sites, the one that asks first, then the newest",
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({ sessions: z.array(PlayerSession) }),
  refusals: [],
});

export const endSession = endpoint({
  method: 'POST',
  path: '/api/user/session/end',
  summary:
    "Ends one of the account's own sessions; twice is once, and one that is not there is ended",
  access: 'player',
  body: z.strictObject({
    siteId: Slug,
    /** As the list tells it: a session that began in the meantime is another one, and stays. */
    startedAt: z.iso.datetime(),
  }),
  reply: z.strictObject({}),
  refusals: [],
});
