import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency, Money } from './money.ts';
import { ForeignId, QuoteId, Slug, System } from './names.ts';
import { GiftReason } from './promotions.ts';
import { SiteTheme } from './site-config.ts';

/** A game in the list of a platform. */
export const ListedGame = z.strictObject({
  gameId: Slug,
  name: z.string(),
  subtitle: z.string(),
  /**
   * The game's own theme; `logo` names its icon. Null values fall back to the theme of the site.
   */
  theme: SiteTheme,
  /** The systems on which it can be played; at least one. */
  systems: z.array(System),
  /** Whether none of its servers is open. */
  isInMaintenance: z.boolean(),
});
export type ListedGame = z.output<typeof ListedGame>;

export const gameList = endpoint({
  method: 'POST',
  path: '/api/game/list',
  summary: 'The games of this site that something can be bought for, in its order',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({ games: z.array(ListedGame) }),
  refusals: [],
});

/** Extra quantity that comes with a pack, and why. */
const Gift = z.strictObject({ quantity: Amount, reason: GiftReason });

/** How many packs may be bought by the account or for a role, and when the count is reset. */
export const PurchaseLimit = z.strictObject({
  packsMax: z.int(),
  per: z.enum(['account', 'role']),
  period: z.enum(['day', 'week', 'month', 'ever']),
  /** Null if it is counted by role and no role is known. */
  packsLeft: z.nullable(z.int()),
  /** Null if the count is never reset. */
  resetAt: z.nullable(z.iso.datetime()),
});
export type PurchaseLimit = z.output<typeof PurchaseLimit>;

/** The terms of an offer besides its price. */
const terms = {
  /**
   * Identifies the exact price and goods. An order that sends it gets exactly these or is refused.
   */
  quoteId: QuoteId,
  /** On sale from `saleFrom` until before `saleUntil`; null means unlimited. */
  saleFrom: z.nullable(z.iso.datetime()),
  saleUntil: z.nullable(z.iso.datetime()),
  limit: z.nullable(PurchaseLimit),
  /**
   * The E Points that rebate campaigns would give for this purchase; null if it reaches no tier.
   */
  rebatePoints: z.nullable(Amount),
};

/** The current price and goods: `data` of the refusal `PriceChanged`. */
export const Quote = z.strictObject({
  quoteId: QuoteId,
  itemId: Slug,
  quantity: Amount,
  giftQuantity: Amount,
  price: Money,
  pricePoints: z.nullable(Amount),
});
export type Quote = z.output<typeof Quote>;

/** One of the site's currencies; the first one by default. */
const chosenCurrency = z.optional(Currency);

export const Item = z.strictObject({
  itemId: Slug,
  name: z.string(),
  /** How many of `unit` the player buys; gifts come on top. */
  quantity: Amount,
  unit: z.string(),
  gift: z.nullable(Gift),
  price: Money,
  /** The price in E Points; null if it is sold for money only. */
  pricePoints: z.nullable(Amount),
  badge: z.nullable(z.enum(['popular', 'best_value'])),
  /** The price band, lowest to highest; it colours the card. */
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  /** The picture's name in the site's art folder. */
  art: Slug,
  ...terms,
});
export type Item = z.output<typeof Item>;

/** The role that limits are counted for. */
const CountedRole = z.strictObject({ serverId: Slug, roleId: ForeignId });

export const itemGroups = endpoint({
  method: 'POST',
  path: '/api/recharge/v2/items',
  summary: 'What can be bought for a game, in groups, priced for this site',
  access: 'player',
  body: z.strictObject({
    gameId: Slug,
    system: System,
    currency: chosenCurrency,
    /** The role that limits by role are counted for; by default the role chosen last. */
    role: z.optional(CountedRole),
  }),
  reply: z.strictObject({
    /**
     * The role that limits were counted for; null if none is chosen or nothing is limited by role.
     */
    countedFor: z.nullable(CountedRole),
    groups: z.array(z.strictObject({ groupId: Slug, name: z.string(), items: z.array(Item) })),
  }),
  refusals: ['NotFound'],
});

/** For clients without groups and quotes. Their orders are sold at the prices listed here. */
export const flatItems = endpoint({
  method: 'POST',
  path: '/api/recharge/items',
  summary: "What can be bought for a game, as one list in the site's first currency",
  access: 'player',
  body: z.strictObject({ gameId: Slug, system: System }),
  reply: z.strictObject({
    items: z.array(
      z.strictObject({
        itemId: Slug,
        name: z.string(),
        quantity: Amount,
        giftQuantity: Amount,
        giftReason: z.nullable(GiftReason),
        price: Money,
        pricePoints: z.nullable(Amount),
        art: Slug,
      }),
    ),
  }),
  refusals: ['NotFound'],
});

/** A pack of E Points: `quantity` is bought, the gift comes on top. */
export const PointPack = z.strictObject({
  itemId: Slug,
  name: z.string(),
  quantity: Amount,
  giftQuantity: Amount,
  giftReason: z.nullable(GiftReason),
  /** How many days the gift lives after it was given; null if it never expires. */
  giftDays: z.nullable(z.int()),
  price: Money,
  badge: z.nullable(z.enum(['popular', 'best_value'])),
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  art: Slug,
  ...terms,
});
export type PointPack = z.output<typeof PointPack>;

export const pointPacks = endpoint({
  method: 'POST',
  path: '/api/e-recharge/items',
  summary: 'The E Point packs of this site',
  access: 'player',
  body: z.strictObject({ system: System, currency: chosenCurrency }),
  reply: z.strictObject({ packs: z.array(PointPack) }),
  refusals: [],
});
