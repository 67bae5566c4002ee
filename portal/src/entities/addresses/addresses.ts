import type { System } from '@pointgate/contract/names.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { useMatch } from 'react-router';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { systemParameter } from '../session/use-system.ts';

/** What the player tops up: a role in the game, or the E Point balance. */
export type Target = 'game' | 'epoint';

interface Choice {
  target: Target;
  itemId?: string;
  /** On a platform: the game of the packs. Without a game, the address is the list of games. */
  gameId?: string | null;
  /** On a platform: the system of the packs, if one was chosen. */
  system?: System;
}

/** The addresses of pages that exist on both kinds of site. No other module depends on the kind. */
interface Addresses {
  home: string;
  /** The top-up page, or on a platform the list of games. */
  topUp: string;
  news: string;
  bulletin: (bulletinId: string) => string;
  /** The top-up page with this tab open and, if it is known, this pack chosen. */
  recharge: (choice: Choice) => string;
  order: (paymentId: string) => string;
  receipt: (paymentId: string) => string;
  /** The player's orders. */
  orders: string;
  account: string;
  /** The E Point record. */
  pointsRecord: string;
}

/** The addresses of this site, relative to the open page. */
export function useAddresses(): Addresses {
  const { domainType } = useSiteConfig();
  const openGameId = useOpenGame();
  // The E Point top-up keeps the open game in the address.
  return addressesOf(domainType, openGameId);
}

/** The game of this page: the game of the site, or the open game on a platform. */
export function useOpenGame(): string | null {
  const { gameId } = useSiteConfig().gameInfo;
  const openGameId = useMatch('/dream/recharge/:gameId')?.params.gameId ?? null;
  return gameId ?? openGameId;
}

/** Whether the address is an order page. */
export function isOrderAddress(address: string): boolean {
  return address.startsWith(gameAddresses.order('')) || address.startsWith(platformOrderPath);
}

function addressesOf(domainType: SiteConfig['domainType'], openGameId: string | null): Addresses {
  return domainType === 0 ? gameAddresses : platformAddresses(openGameId);
}

const gameAddresses: Addresses = {
  home: '/main/home',
  topUp: '/main/recharge',
  ...newsUnder('/main/event'),
  recharge: ({ system: _none, ...choice }) => withChoice('/main/recharge', choice),
  order: (paymentId) => `/main/recharge/detail/${paymentId}`,
  receipt: (paymentId) => `/main/recharge/receipt/${paymentId}`,
  orders: '/main/account/recharge',
  account: '/main/account/user',
  pointsRecord: '/main/account/epoint',
};

const platformOrderPath = '/dream/order/detail';

function platformAddresses(openGameId: string | null): Addresses {
  return {
    home: '/dream/home',
    topUp: openGameId === null ? '/dream/recharge' : `/dream/recharge/${openGameId}`,
    ...newsUnder('/dream/event'),
    recharge: ({ gameId = openGameId, ...choice }) => {
      if (gameId !== null) return withChoice(`/dream/recharge/${gameId}`, choice);
      if (choice.target === 'game') return '/dream/home';
      // E Points belong to the account and need no game.
      return withChoice('/dream/epoint', { ...choice, target: 'game' });
    },
    order: (paymentId) => `${platformOrderPath}?paymentId=${paymentId}`,
    receipt: (paymentId) => `/dream/order/receipt?paymentId=${paymentId}`,
    orders: '/dream/order',
    account: '/dream/account/user',
    pointsRecord: '/dream/account/epoint',
  };
}

function newsUnder(news: string): Pick<Addresses, 'news' | 'bulletin'> {
  return { news, bulletin: (bulletinId) => `${news}/detail/${bulletinId}` };
}

function withChoice(path: string, { target, itemId, system }: Choice): string {
  const query = new URLSearchParams();
  if (system !== undefined) query.set(systemParameter, system);
  if (target !== 'game') query.set('to', target);
  if (itemId !== undefined) query.set('item', itemId);
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
