import * as z from 'zod/mini';
import { Device } from './device.ts';
import { endpoint } from './endpoint.ts';
import { Slug } from './names.ts';

/** A session of the account. There is one for each site. */
export const PlayerSession = z.strictObject({
  siteId: Slug,
  siteTitle: z.string(),
  /** The device that last used it, by its user agent. */
  device: Device,
  startedAt: z.iso.datetime(),
  /** When it was last used, to the hour; null if not yet. */
  seenAt: z.nullable(z.iso.datetime()),
  /** When it expires. */
  endsAt: z.iso.datetime(),
  /** Whether it began with a link from a game instead of a sign-in. */
  isByLink: z.boolean(),
  /** Whether it is the session of this request. */
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
    /** From the list, so that a session that began since then is not ended. */
    startedAt: z.iso.datetime(),
  }),
  reply: z.strictObject({}),
  refusals: [],
});
