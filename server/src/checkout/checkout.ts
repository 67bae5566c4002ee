import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import type { GameRefusal } from '@pointgate/contract/game-calls.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import { type CurrencyCode, type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { createOrder } from '@pointgate/contract/orders.ts';
import type { OfferedItem } from '../catalogue/catalogue.ts';
import { type ItemGoods, type Offer, type PackGoods, withGift } from '../catalogue/offers.ts';
import {
  type CharactersContext,
  type FoundCharacter,
  findCharacterToTopUp,
} from '../delivery/characters/characters.ts';
import { toRecharge } from '../delivery/delivery.ts';
import {
  findPlacedOrder,
  type Order,
  type OrderIntent,
  openUnpaidOrders,
  placeOrder,
} from '../money/orders/orders.ts';
import type { Place } from '../money/routing/offered.ts';
import { type RoutingContext, requireChargeable, requireMethod } from '../money/routing/routing.ts';
import type { PurchaseConditions } from '../offers/conditions/conditions.ts';
import { previewGifts } from '../offers/promotions/promotions.ts';
import type { Quota } from '../offers/quotas/quotas.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { isSoldAt, knownSite, type Site } from '../publisher/sites/sites.ts';
import { priceOrder, requireQuote } from './pricing.ts';

export interface CheckoutContext extends CharactersContext {
  routing: RoutingContext;
  conditions: PurchaseConditions<CheckoutDraft>;
}

/** What the conditions of a purchase are given. */
export interface CheckoutDraft {
  intent: OrderIntent;
  couponId: string | undefined;
  /** The key that purchase limits are counted under. */
  goodsKey: string;
  quota: Quota | null;
  timeZone: string;
  /** The regular bonus per pack. */
  bonusQuantity: bigint;
  country: string | null;
  language: string;
}

/** The account, site and language of a request. */
export interface Asking {
  accountId: string;
  siteId: string;
  locale: Locale;
}

type OrderRequest = BodyOf<typeof createOrder> & Asking;

/** The same with the place of the player, on which payment methods depend. */
export interface Placing {
  place: Place;
}

/**
 * Prices and places an order. Everything is checked before money can move: the server is open, the
 * role is the player's own, the item is for sale, and the game accepts the delivery. A repeated
 * `clientOrderId` returns the same order without calling the game again.
 */
export async function checkOut(
  context: CheckoutContext,
  request: OrderRequest & Placing,
): Promise<Order> {
  const { db } = context;
  const { accountId, clientOrderId } = request;
  const intentBody = canonical(request);
  const placed = await findPlacedOrder(db, { accountId, clientOrderId, intentBody });
  if (placed !== undefined) return placed;

  const site = await siteOf(context, request);
  const character = await findCharacterToTopUp(context, request);
  if (!character.server.systems.includes(request.system)) throw new AppError('ServerNotFound');
  const item = await offeredTo(db, await offerOf(context, request, site), { request, site });
  const price = priceOrder(item, request);
  const intent = toIntent(request, { site, character, item, price });
  const purchase = { intent, intentBody, offer: item, site, request };
  const draft = await previewConditions(context, purchase);
  await askGame(context, draft.intent, character);
  return await placeOnConditions(context, draft, purchase);
}

/** The offer with the gift that this player would get now. Placing the order decides it finally. */
export async function offeredTo<Kind extends ItemGoods | PackGoods>(
  db: Db,
  offer: Offer<Kind>,
  { request, site }: { request: Asking & { quantity: number }; site: Site },
): Promise<Offer<Kind>> {
  const { id: itemId, kind, quantity, giftQuantity: bonusQuantity } = offer.goods;
  const { accountId, locale: language } = request;
  const { siteId, priceCountry: country } = site;
  const item = { itemId, quantity, bonusQuantity, packCount: request.quantity };
  const gifts = await previewGifts(db, { accountId, siteId, kind, country, language }, [item]);
  return withGift(offer, gifts.get(itemId) ?? offer.gift);
}

/**
 * An order of one item that the player does not pay for, because the points come from elsewhere.
 * The role is checked as in any order; purchase limits do not apply. The system is the first one
 * that the server and the item have in common.
 */
export async function intendGiven(
  context: CheckoutContext,
  given: Asking & Pick<OrderRequest, 'clientOrderId' | 'gameId' | 'itemId' | 'serverId' | 'roleId'>,
): Promise<OrderIntent> {
  const site = await knownSite(context.sites, given.siteId);
  const character = await findCharacterToTopUp(context, given);
  const { currency, priceCountry: country } = site;
  for (const system of character.server.systems) {
    const item = await context.catalogue.offer({ ...given, system, currency, country });
    if (typeof item !== 'object' || item.pricePoints === null) continue;
    const request = { ...given, quantity: 1, method: 'epoint' as const, system }; // as: keeps the literal types
    const price = { amountMinor: item.pricePoints, currency: pointsUnit };
    const intent = toIntent(request, { site, character, item, price });
    await askGame(context, intent, character);
    return intent;
  }
  throw new AppError('ItemNotForSale');
}

/** An order to be placed, and the request for it. */
interface Purchase {
  intent: OrderIntent;
  intentBody: string;
  offer: Offer<ItemGoods | PackGoods>;
  site: Site;
  request: Pick<OrderRequest, 'locale' | 'method' | 'quoteId' | 'couponId'>;
}

/** Previews the price and checks all conditions before the game is asked. Throws if one refuses the order. */
export async function previewConditions(
  { db, conditions }: CheckoutContext,
  { intent: asPriced, offer: { goods, goodsKey }, site, request }: Purchase,
): Promise<CheckoutDraft> {
  const asked: CheckoutDraft = {
    intent: asPriced,
    couponId: request.couponId,
    goodsKey,
    quota: goods.quota,
    timeZone: site.timeZone,
    bonusQuantity: goods.giftQuantity,
    country: site.priceCountry,
    language: request.locale,
  };
  const intent = await conditions.preview(db, asked);
  requireMoneyTaken(request, intent);
  const draft = { ...asked, intent };
  await conditions.check(db, draft);
  return draft;
}

/** Places the order and holds what its conditions need, in one transaction. */
export async function placeOnConditions(
  { db, conditions, bounds }: CheckoutContext,
  draft: CheckoutDraft,
  { intentBody, offer, request }: Purchase,
): Promise<Order> {
  return await db.transaction(async (tx) => {
    const decided = await conditions.decide(tx, draft);
    const { giftQuantity, gift } = decided.snapshot;
    const sold = withGift(offer, { quantity: BigInt(giftQuantity), reason: gift?.reason ?? null });
    const intent = { ...decided, snapshot: { ...decided.snapshot, quoteId: sold.quoteId } };
    const { order, isNew } = await placeOrder(tx, intent, intentBody);
    // A concurrent duplicate of this call has placed the order and holds everything for it.
    if (!isNew) return order;
    // A gift that was shown may be taken by now, such as the first-purchase gift.
    requireQuote(sold, request);
    await requireUnpaidOrdersLeft(tx, order, bounds);
    await conditions.hold(tx, order, { ...draft, intent });
    return order;
  });
}

/** Throws if the account has too many unpaid orders, including this one. */
async function requireUnpaidOrdersLeft(
  tx: Tx,
  { account_id: accountId }: Order,
  { unpaidOrdersMax }: { unpaidOrdersMax: number },
): Promise<void> {
  const { count, nextExpiry } = await openUnpaidOrders(tx, accountId);
  if (count <= unpaidOrdersMax) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((nextExpiry.getTime() - Date.now()) / 1000));
  throw new AppError('SignInThrottled', null, { retryAfterSeconds });
}

async function siteOf(
  { sites, routing }: CheckoutContext,
  request: OrderRequest & Placing,
): Promise<Site> {
  const site = await knownSite(sites, request.siteId);
  if (!isSoldAt(site, request.gameId)) throw new AppError('ItemNotForSale');
  await requireTaken(routing, site, { ...request, kind: 'item' });
  return site;
}

/** Checks that the site accepts the chosen currency and offers the method to this player now. */
export async function requireTaken(
  routing: RoutingContext,
  site: Site,
  request: Pick<OrderRequest, 'method' | 'currency'> & Placing & { kind: OrderIntent['kind'] },
): Promise<void> {
  const { method, kind, place, currency = site.currency } = request;
  if (!site.currencies.includes(currency)) throw new AppError('ItemNotForSale');
  // The page may show a method that has been switched off since; others may be left.
  await requireMethod(routing, method, { site, kind, currency, place });
}

/** The provider must accept the final amount, which depends on the number of packs and the coupon. */
function requireMoneyTaken(
  { method }: Pick<OrderRequest, 'method'>,
  { currency, amountMinor }: Price,
): void {
  if (currency !== pointsUnit) requireChargeable(method, { amountMinor, currency });
}

async function offerOf(
  { catalogue }: CheckoutContext,
  request: OrderRequest,
  site: Site,
): Promise<OfferedItem> {
  const { gameId, itemId, system, currency = site.currency } = request;
  const country = site.priceCountry;
  return requireOffer(await catalogue.offer({ gameId, itemId, system, currency, country }), system);
}

export function requireOffer<Offer extends object>(
  offer: Offer | 'not_for_sale' | 'not_on_system',
  system: 'ios' | 'android',
): Offer {
  if (typeof offer === 'object') return offer;
  const isIos = offer === 'not_on_system' && system === 'ios';
  throw new AppError(isIos ? 'NotAvailableInIos' : 'ItemNotForSale');
}

/** `internal` is mainland China. An order in E Points counts by the currency of its site. */
export function orderTypeOf(
  { currency }: Price,
  site: { currency: CurrencyCode },
): 'internal' | 'foreign' {
  const money = currency === pointsUnit ? site.currency : currency;
  return money === 'CNY' ? 'internal' : 'foreign';
}

function toIntent(
  request: OrderRequest,
  {
    site,
    character,
    item,
    price,
  }: { site: Site; character: FoundCharacter; item: OfferedItem; price: Price },
): OrderIntent {
  const { goods, quoteId } = item;
  return {
    clientOrderId: request.clientOrderId,
    accountId: request.accountId,
    kind: 'item',
    siteId: site.siteId,
    gameId: request.gameId,
    serverId: request.serverId,
    roleId: request.roleId,
    gameAccountId: character.gameAccountId,
    itemId: goods.id,
    packCount: request.quantity,
    orderType: orderTypeOf(price, site),
    method: request.method,
    system: request.system,
    currency: price.currency,
    amountMinor: price.amountMinor,
    snapshot: {
      gameName: character.game.name,
      serverName: character.server.name,
      roleName: character.role.name,
      itemName: goods.name,
      unit: goods.unit,
      art: goods.art,
      sku: goods.sku,
      quantity: goods.quantity.toString(),
      giftQuantity: item.gift.quantity.toString(),
      giftDays: null,
      quoteId,
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
      payment_id: newId(), // identifies the validation only; the order gets its own id
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

/** The request in a fixed field order, so that a repeated request has the same text. */
function canonical(request: OrderRequest): string {
  const { siteId, gameId, itemId, quantity, serverId, roleId, method, system } = request;
  const wish = [siteId, gameId, itemId, quantity, serverId, roleId, method, system];
  return JSON.stringify([...wish, ...shownTo(request)]);
}

/** The quote, currency and coupon of the request. Requests of older clients have none of them. */
export function shownTo(request: Pick<OrderRequest, 'quoteId' | 'currency' | 'couponId'>) {
  const { quoteId, currency, couponId } = request;
  const chosen = couponId === undefined ? {} : { couponId };
  return quoteId === undefined && currency === undefined && couponId === undefined
    ? []
    : [{ quoteId: quoteId ?? null, currency: currency ?? null, ...chosen }];
}
