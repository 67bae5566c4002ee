/**
 * The games that the seed creates. One sandbox program plays them all; the shop has a secret for
 * each.
 */
export const demoGameIds = [
  'solmere',
  'lantern-court',
  'neon-meridian',
  'ironvale',
  'paw-and-petal',
  'galewrack',
] as const;

/** The other sites of the seed, at subdomains of the first site. */
const otherSiteIds = ['lantern-court', 'neon-meridian', 'omni'];
export const siteIds = ['solmere', ...otherSiteIds];

/** One secret for all games, because one program plays them. */
export function gameSecretsOf(secret: string): Record<string, [string]> {
  return Object.fromEntries(demoGameIds.map((gameId) => [gameId, [secret]]));
}

/** The addresses of all sites of the demo, the first one first. */
export function siteAddresses(portal: string): string[] {
  const { protocol, host } = new URL(portal);
  return [portal, ...otherSiteIds.map((siteId) => `${protocol}//${siteId}.${host}`)];
}
