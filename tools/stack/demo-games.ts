import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Ids = z.array(z.string()).min(1);
const shop = z
  .object({ games: Ids, sites: Ids })
  .parse(JSON.parse(readFileSync(new URL('../../demo/shop/shop.json', import.meta.url), 'utf8')));

/** The games of the demo. One sandbox program plays them all; the shop has a secret for each. */
export const demoGameIds = shop.games;

/** The sites of the demo; all but the first are at subdomains of it. */
export const siteIds = shop.sites;

/** One secret for all games, because one program plays them. */
export function gameSecretsOf(secret: string): Record<string, [string]> {
  return Object.fromEntries(demoGameIds.map((gameId) => [gameId, [secret]]));
}

/** The addresses of all sites of the demo, the first one first. */
export function siteAddresses(portal: string): string[] {
  const { protocol, host } = new URL(portal);
  return [portal, ...siteIds.slice(1).map((siteId) => `${protocol}//${siteId}.${host}`)];
}
