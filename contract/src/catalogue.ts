import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency, Money } from './money.ts';
import { ForeignId, QuoteId, Slug, System } from './names.ts';
import { GiftReason } from './promotions.ts';
import { SiteTheme } from './site-config.ts';

/** A game as a card of a platform. */
export const ListedGame = z.strictObject({
  gameId: Slug,
  name: z.string(),
  subtitle: z.string(),
  /** Its own look; `logo` names its icon. What is null looks as the site does. */
  theme: SiteTheme,
  /** Where it can be played; never none. */
  systems: z.array(System),
  /** None of its servers is open. */
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

/** How many packs may be bought, by the account or for one role, and when counting starts anew. */
export const PurchaseLimit = z.strictObject({
  packsMax: z.int(),
  per: z.enum(['account', 'role']),
  period: z.enum(['day', 'week', 'month', 'ever']),
  /** Unknown where it is counted by role and no role is known. */
  packsLeft: z.nullable(z.int()),
  /** Never, where it says nothing. */
  resetAt: z.nullable(z.iso.datetime()),
});
export type PurchaseLimit = z.output<typeof PurchaseLimit>;

/** What an offer promises besides its price, and until when. */
const terms = {
  /** Names exactly what is charged and given. An order sends it back, and gets this or is refused. */
  quoteId: QuoteId,
  /** It can be bought from the one moment on and before the other; at any time where both are null. */
  saleFrom: z.nullable(z.iso.datetime()),
  saleUntil: z.nullable(z.iso.datetime()),
  limit: z.nullable(PurchaseLimit),
  /** The E Points that rebate campaigns give for buying one now; none where it reaches no tier. */
  rebatePoints: z.nullable(Amount),
};

/** What would be charged and given now: `data` of the refusal `PriceChanged`. */
export const Quote = z.strictObject({
  quoteId: QuoteId,
  itemId: Slug,
  quantity: Amount,
  giftQuantity: Amount,
  price: Money,
  pricePoints: z.nullable(Amount),
});
export type Quote = z.output<typeof Quote>;

/** One of the site's currencies; its first one where it says nothing. */
const chosenCurrency = z.optional(Currency);

export const Item = z.strictObject({
  itemId: Slug,
  name: z.string(),
  /** How many of `unit` the player buys; gifts come on top. */
  quantity: Amount,
  unit: z.string(),
  gift: z.nullable(Gift),
  price: Money,
  /** What it costs in E Points; none where it is sold for money only. */
  pricePoints: z.nullable(Amount),
  badge: z.nullable(z.enum(['popular', 'best_value'])),
  /** The price band, lowest to highest; it colours the card. */
  tier: z.enum(['tide', 'dusk', 'rose', 'sun']),
  /** The picture's name in the site's art folder. */
  art: Slug,
  ...terms,
});
export type Item = z.output<typeof Item>;

/** A character of the player, as limits know it. */
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
    /** Whom limits by role are counted for; where it says nothing, the role that was chosen last. */
    role: z.optional(CountedRole),
  }),
  reply: z.strictObject({
    /** Whom they were counted for; nobody where none is chosen, or nothing is limited by role. */
    countedFor: z.nullable(CountedRole),
    groups: z.array(z.strictObject({ groupId: Slug, name: z.string(), items: z.array(Item) })),
  }),
  refusals: ['NotFound'],
});

/** For clients that know no groups and no quotes. What they order is sold for what stands here. */
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
  /** How long the gift lives after it was given; for ever where it says nothing. */
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
