import { fileURLToPath } from 'node:url';
import { fallbackLocale, locales } from '@pointgate/contract/locales.ts';
import { readShopFolder } from '../src/documents/documents.ts';
import { type NewSite, upsertGame, upsertSite } from '../src/documents/seed/seed.queries.ts';
import { type Game, gameRows, packRows } from '../src/documents/seed/seed-rows.ts';
import type { Tx } from '../src/platform/db.ts';
import { textIn } from '../src/platform/local-text.ts';

export const demoFolder = fileURLToPath(new URL('../../demo/shop', import.meta.url));

/** The documents of the demo's shop, from which tests take games and packs. */
export function openDemo(now = new Date()) {
  return readShopFolder(demoFolder, now);
}

const demo = openDemo();

export const demoPointPacks = packRows(demo.shop);

/** In the display order of the platform. */
export function demoGames(): Game[] {
  return demo.shop.games.map(gameRows);
}

/** The game of the demo's first site, and of most tests. */
export const demoGame = firstGame();

function firstGame(): Game {
  const [first] = demoGames();
  if (first === undefined) throw new Error('the demo has no game');
  return first;
}

/** A game with only the packs of its currency, which have no limits. */
export function withoutSpecials(game: Game): Game {
  return { ...game, items: game.items.filter(({ limit }) => limit === null) };
}

/** The demo's first game with its servers and no packs. */
export async function writeDemoGame(tx: Tx, apiUrl: string): Promise<void> {
  await upsertGame(tx, { apiUrl, game: demoGame });
}

/** By default a site of the demo's first game in US dollars, with cards and E Points. */
export async function writeSite(
  tx: Tx,
  site: Pick<NewSite, 'id' | 'portalUrl' | 'hosts'> & Partial<NewSite>,
): Promise<void> {
  await upsertSite(tx, {
    domainType: 0,
    title: textIn(demoGame.name, fallbackLocale),
    brandId: 'omni',
    locales,
    theme: {},
    gameId: demoGame.id,
    gameIds: [],
    currency: 'USD',
    otherCurrencies: [],
    methods: ['card', 'epoint'],
    ...site,
  });
}
