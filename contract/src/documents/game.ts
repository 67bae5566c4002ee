import { z } from 'zod';
import { System } from '../names.ts';
import { Id, Texts, Theme, WebAddress } from './parts.ts';

/** `games/<id>/game.yaml` */
export const GameDocument = z
  .strictObject({
    name: Texts,
    subtitle: Texts,
    theme: Theme.prefault({}),
    apiUrl: WebAddress.optional().describe(
      "Where the shop calls the game's server. Needed, except in a demo, where the installation says it.",
    ),
    jwksUrl: WebAddress.nullable()
      .default(null)
      .describe('Where the game publishes the keys of its arrival tokens, if it makes any.'),
    givesOnce: z
      .boolean()
      .default(true)
      .describe('Whether the game gives once if it is told to deliver the same payment twice.'),
  })
  .describe('A game.');
export type GameDocument = z.output<typeof GameDocument>;

export const Systems = z
  .array(z.enum(System.def.entries))
  .min(1, 'is empty: write ios, android or both')
  .describe('The systems of players: ios, android or both.');

/** A line of `games/<id>/servers.csv`. */
export const ServerLine = z
  .strictObject({
    id: Id,
    region: Id.describe('A region that regions.yaml names.'),
    status: z
      .enum(['open', 'maintenance'])
      .default('open')
      .describe(
        'The status of a server that is new. Later `operate server-open` and others set it.',
      ),
    systems: Systems.default(['ios', 'android']),
    name: Texts,
  })
  .describe('A server of a game.');
export type ServerLine = z.output<typeof ServerLine>;

/** `groups.yaml` and `regions.yaml`: names by id. */
export const Names = z
  .record(Id, Texts)
  .describe('Names by id: of the groups that packs are listed in, or of the regions of servers.');
export type Names = z.output<typeof Names>;
