import type { System } from '@pointgate/contract/names.ts';
import {
  fillPath,
  gameListPath,
  isPathOf,
  pages,
  type SiteKind,
  siteKindOf,
} from '@pointgate/contract/pages.ts';
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

/** The kind of this site. */
export function useSiteKind(): SiteKind {
  return siteKindOf(useSiteConfig().domainType);
}

/** The addresses of this site, relative to the open page. */
export function useAddresses(): Addresses {
  const kind = useSiteKind();
  // The E Point top-up keeps the open game in the address.
  const openGameId = useOpenGame();
  return kind === 'game' ? gameAddresses : platformAddresses(openGameId);
}

/** The game of this page: the game of the site, or the open game on a platform. */
export function useOpenGame(): string | null {
  const { gameId } = useSiteConfig().gameInfo;
  const openGameId = useMatch(pages.platform.topUp.path)?.params.gameId ?? null;
  return gameId ?? openGameId;
}

/** Whether the address is an order page. */
export function isOrderAddress(address: string): boolean {
  const [pathname = ''] = address.split('?');
  return [pages.game.order, pages.platform.order].some(({ path }) => isPathOf(path, pathname));
}

const gameAddresses: Addresses = {
  ...addressesOn('game'),
  topUp: pages.game.topUp.path,
  recharge: ({ system: _none, ...choice }) => withChoice(pages.game.topUp.path, choice),
};

function platformAddresses(openGameId: string | null): Addresses {
  const { home, topUp, pointsTopUp } = pages.platform;
  const ofGame = (gameId: string) => fillPath(topUp.path, { gameId });
  return {
    ...addressesOn('platform'),
    topUp: openGameId === null ? gameListPath : ofGame(openGameId),
    recharge: ({ gameId = openGameId, ...choice }) => {
      if (gameId !== null) return withChoice(ofGame(gameId), choice);
      if (choice.target === 'game') return home.path;
      // E Points belong to the account and need no game.
      return withChoice(pointsTopUp.path, { ...choice, target: 'game' });
    },
  };
}

function addressesOn(kind: SiteKind): Omit<Addresses, 'topUp' | 'recharge'> {
  const { home, news, bulletin, order, receipt, orders, account, pointsRecord } = pages[kind];
  return {
    home: home.path,
    news: news.path,
    bulletin: (id) => fillPath(bulletin.path, { id }),
    order: (paymentId) => fillPath(order.path, { paymentId }),
    receipt: (paymentId) => fillPath(receipt.path, { paymentId }),
    orders: orders.path,
    account: account.path,
    pointsRecord: pointsRecord.path,
  };
}

function withChoice(path: string, { target, itemId, system }: Choice): string {
  const query = new URLSearchParams();
  if (system !== undefined) query.set(systemParameter, system);
  if (target !== 'game') query.set('to', target);
  if (itemId !== undefined) query.set('item', itemId);
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
