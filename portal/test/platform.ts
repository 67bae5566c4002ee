import { givenShop, siteConfig } from './shop.tsx';

/** The config of a platform: a site with several games. */
export const platformConfig = {
  ...siteConfig,
  domainType: 1 as const, // as: else it is any number
  gameInfo: { ...siteConfig.gameInfo, gameId: null },
};

export function givenGame(other: object = {}) {
  return {
    gameId: 'solmere',
    name: 'Solmere',
    subtitle: 'Echoes of the Drowned Sun',
    theme: { accent: '#ffb85c', accentStrong: '#ff9636', hero: 'hero', logo: 'solmere-icon' },
    systems: ['ios', 'android'],
    isInMaintenance: false,
    ...other,
  };
}

export const lanternCourt = {
  gameId: 'lantern-court',
  name: 'Lantern Court',
  subtitle: 'A Thousand Red Lanterns',
  theme: { accent: '#ff7a5c', accentStrong: null, hero: 'lantern-court-hero', logo: null },
};

type Answers = Parameters<typeof givenShop>[0];

/** Like `givenShop`, for a platform with two games and no orders. */
export function givenPlatform(other: Answers = {}) {
  return givenShop({
    '/api/game/list': { games: [givenGame(), givenGame(lanternCourt)] },
    '/api/payment/order/list': { orders: [], nextAfter: null },
    ...other,
  });
}
