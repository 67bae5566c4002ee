import type { System } from '@pointgate/contract/names.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { useMatch } from 'react-router';
import { useSiteConfig } from './config/site-config.tsx';
import { systemParameter } from './session/use-system.ts';

/** What the player tops up: a role in the game, or the E Point balance. */
export type Target = 'game' | 'epoint';

interface Choice {
  target: Target;
  itemId?: string;
  /** Of a platform: whose packs. Without one, the way leads to where a game is chosen. */
  gameId?: string | null;
  /** Of a platform: which phone they are for, where that was chosen. */
  system?: System;
}

/** Where the pages are that both kinds of site have. Nothing else knows the kind of a site. */
interface Addresses {
  home: string;
  /** Where topping up begins: the packs, or on a platform the choice of a game. */
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
  /** What changed the E Point balance. */
  pointsRecord: string;
}

/** The addresses of this site, seen from the page that is open. */
export function useAddresses(): Addresses {
  const { domainType } = useSiteConfig();
  const openGameId = useOpenGame();
  // Who tops up a game and needs E Points stays with that game.
  return addressesOf(domainType, openGameId);
}

/** The game that this page is about: the one of the site, or the one that is open on a platform. */
export function useOpenGame(): string | null {
  const { gameId } = useSiteConfig().gameInfo;
  const openGameId = useMatch('/dream/recharge/:gameId')?.params.gameId ?? null;
  return gameId ?? openGameId;
}

/** Whether somebody who wants this page wants to see an order. */
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
      // E Points belong to the account, so no game has to be chosen for them.
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
