import { z } from 'zod';
import { Id } from './parts.ts';

const Ids = z.array(Id).min(1);

/** `shop.yaml` */
export const ShopDocument = z
  .strictObject({
    source: Id.default('folder').describe('The name under which this folder publishes.'),
    demo: z
      .boolean()
      .default(false)
      .describe(
        'Allows what only a demo needs: times such as +28d, subdomains, codes.json and players.json.',
      ),
    games: Ids.describe('The games, each with a folder in games/.'),
    sites: Ids.describe('The sites, each with a folder in sites/.'),
  })
  .describe('What the folder of a shop has.');
export type ShopDocument = z.output<typeof ShopDocument>;
