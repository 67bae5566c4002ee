import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import type { GameRefusal } from '@pointgate/contract/game-calls.ts';
import { type CurrencyCode, pointsUnit } from '@pointgate/contract/money.ts';
import type { createOrder } from '@pointgate/contract/orders.ts';
import type { OfferedItem } from '../catalogue/catalogue.ts';
import {
  type CharactersContext,
  type FoundCharacter,
  findCharacter,
} from '../characters/characters.ts';
import { toRecharge } from '../delivery/delivery.ts';
import { findPlacedOrder, type Order, type OrderIntent, placeOrder } from '../orders/orders.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { knownSite, type Site, type Sites } from '../sites/sites.ts';

export interface CheckoutContext extends CharactersContext {
  sites: Sites;
  /** Throws where the player could not pay this now. Paying asks again, and that is what counts. */
  beforeOrder(intent: OrderIntent): Promise<void>;
}

type OrderRequest = BodyOf<typeof createOrder> & { accountId: string; siteId: string };

/**
 * Prices and places an order. Everything is checked before money can move: the server is open, the
 * role is the player's own, the item is for sale, and the game would take it. The same
 * `clientOrderId` answers the same order without asking anybody again.
 */
export async function checkOut(context: CheckoutContext, request: OrderRequest): Promise<Order> {
  const { db } = context;
  const { accountId, clientOrderId } = request;
  const intentBody = canonical(request);
  const placed = await findPlacedOrder(db, { accountId, clientOrderId, intentBody });
  if (placed !== undefined) return placed;

  const site = await siteOf(context, request);
  const character = await findCharacter(context, request);
  if (character.server.status === 1) throw new AppError('ServerMaintenance');
  if (!character.server.systems.includes(request.system)) throw new AppError('ServerNotFound');
  const item = await offerOf(context, request, site);
  const intent = toIntent(request, { site, character, item });
  await context.beforeOrder(intent);
  await askGame(context, intent, character);
  return await db.transaction((tx) => placeOrder(tx, intent, intentBody));
}

async function siteOf({ sites }: CheckoutContext, request: OrderRequest): Promise<Site> {
  const site = await knownSite(sites, request.siteId);
  const isSoldHere = site.gameId === null || site.gameId === request.gameId;
  if (!isSoldHere || !site.methods.includes(request.method)) throw new AppError('ItemNotForSale');
  return site;
}

async function offerOf(
  { catalogue }: CheckoutContext,
  request: OrderRequest,
  site: Site,
): Promise<OfferedItem> {
  // The method decides what is paid in: points from the balance, or the site's money.
  const currency = request.method === 'epoint' ? pointsUnit : site.currency;
  const offer = await catalogue.offer({ ...request, currency });
  return requireOffer(offer, request.system);
}

export function requireOffer<Offer extends object>(
  offer: Offer | 'not_for_sale' | 'not_on_system',
  system: 'ios' | 'android',
): Offer {
  if (typeof offer === 'object') return offer;
  const isIos = offer === 'not_on_system' && system === 'ios';
  throw new AppError(isIos ? 'NotAvailableInIos' : 'ItemNotForSale');
}

/** Mainland China's rail, and everything else. Points are spent where they were bought. */
export function orderTypeOf(site: { currency: CurrencyCode }): 'internal' | 'foreign' {
  return site.currency === 'CNY' ? 'internal' : 'foreign';
}

function toIntent(
  request: OrderRequest,
  { site, character, item }: { site: Site; character: FoundCharacter; item: OfferedItem },
): OrderIntent {
  return {
    clientOrderId: request.clientOrderId,
    accountId: request.accountId,
    kind: 'item',
    siteId: site.siteId,
    gameId: request.gameId,
    serverId: request.serverId,
    roleId: request.roleId,
    gameAccountId: character.gameAccountId,
    itemId: item.itemId,
    packCount: request.quantity,
    orderType: orderTypeOf(site),
    method: request.method,
    system: request.system,
    currency: item.price.currency,
    amountMinor: item.price.amountMinor * BigInt(request.quantity),
    snapshot: {
      gameName: character.game.name,
      serverName: character.server.name,
      roleName: character.role.name,
      itemName: item.name,
      unit: item.unit,
      art: item.art,
      sku: item.sku,
      quantity: item.quantity.toString(),
      giftQuantity: item.giftQuantity.toString(),
      giftDays: null,
    },
    expireMinutes: site.orderMinutes,
    promiseHours: site.promiseHours,
  };
}

const refusalCodes = {
  role_not_found: 'RoleNotFound',
  server_closed: 'ServerMaintenance',
  item_unavailable: 'ItemNotForSale',
  limit_reached: 'ItemNotForSale',
  region_not_allowed: 'ItemNotForSale',
} as const satisfies Record<GameRefusal, string>;

async function askGame(
  { games }: CheckoutContext,
  intent: OrderIntent,
  { game }: FoundCharacter,
): Promise<void> {
  const answer = await games.validate(
    game,
    toRecharge({
      payment_id: newId(), // only names the question; the order gets its own
      server_id: intent.serverId,
      role_id: intent.roleId,
      game_account_id: intent.gameAccountId,
      pack_count: intent.packCount,
      snapshot: intent.snapshot,
    }),
  );
  if (answer.result === 'unknown') throw new AppError('GameUnavailable');
  if (answer.result === 'refused') throw new AppError(refusalCodes[answer.reason]);
}

/** What the player decided, in one fixed order, so that the same intent has the same text. */
function canonical(request: OrderRequest): string {
  const { siteId, gameId, itemId, quantity, serverId, roleId, method, system } = request;
  return JSON.stringify([siteId, gameId, itemId, quantity, serverId, roleId, method, system]);
}
