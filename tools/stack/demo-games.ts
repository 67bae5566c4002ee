/** The games that the seed makes. The sandbox plays them all, and with each the shop has a secret. */
export const demoGameIds = [
  'solmere',
  'lantern-court',
  'neon-meridian',
  'ironvale',
  'paw-and-petal',
  'galewrack',
] as const;

/** Where the seed's other sites are found: below the name of the first one. */
const otherSiteIds = ['lantern-court', 'neon-meridian', 'omni'];
export const siteIds = ['solmere', ...otherSiteIds];

/** One program plays all the games, so one secret does for all of them. */
export function gameSecretsOf(secret: string): Record<string, [string]> {
  return Object.fromEntries(demoGameIds.map((gameId) => [gameId, [secret]]));
}

/** The addresses of all sites of the demo, the first one first. */
export function siteAddresses(portal: string): string[] {
  const { protocol, host } = new URL(portal);
  return [portal, ...otherSiteIds.map((siteId) => `${protocol}//${siteId}.${host}`)];
}
