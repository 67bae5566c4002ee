import { readFileSync } from 'node:fs';
import { locales } from '@pointgate/contract/locales.ts';
import { Slug } from '@pointgate/contract/names.ts';
import { z } from 'zod';
import { Theme } from '../platform/theme.ts';

/** In every language that the shop speaks. */
export const Texts = z.record(z.enum(locales), z.string().trim().min(1));
export type Texts = z.output<typeof Texts>;

/** The special packs that every demo game sells besides its currency. */
export const SpecialKind = z.enum(['weekly', 'monthly', 'starter', 'daily', 'weekend', 'festival']);
export type SpecialKind = z.output<typeof SpecialKind>;

const Region = z.enum(['asia', 'europe', 'america']);
const GroupId = z.enum(['omni-cards', 'passes', 'limited']);
export type GroupId = z.output<typeof GroupId>;

const DemoGame = z.strictObject({
  id: Slug,
  name: Texts,
  subtitle: Texts,
  theme: Theme,
  /** The prefix of the game account ids of the demo players. */
  playerPrefix: Slug,
  itemPrefix: Slug,
  /** The prefix of the pictures of its currency; a number from one to six follows. */
  art: Slug,
  currency: z.strictObject({ sku: Slug, name: Texts, unit: Texts }),
  servers: z.array(
    z.strictObject({
      id: Slug,
      /** A proper name, the same in every language. */
      name: z.string(),
      region: Region,
      status: z.union([z.literal(0), z.literal(1)]),
      systems: z.array(z.enum(['ios', 'android'])).min(1),
    }),
  ),
  specials: z.record(SpecialKind, Texts),
});
export type DemoGame = z.output<typeof DemoGame>;

const SharedTexts = z.strictObject({
  regions: z.record(Region, Texts),
  groups: z.record(GroupId, Texts),
  points: Texts,
});

export const { regions, groups, points } = SharedTexts.parse(readJson('shared-texts.json'));

/** The game of the demo's first site, and of most tests. */
export const demoGame = readGame('solmere');

/** In the display order of the platform. */
export const demoGames: readonly DemoGame[] = [
  demoGame,
  ...['lantern-court', 'neon-meridian', 'ironvale', 'paw-and-petal', 'galewrack'].map(readGame),
];

function readGame(id: string): DemoGame {
  return DemoGame.parse(readJson(`games/${id}.json`));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
}
