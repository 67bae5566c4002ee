import type { Item, PointPack } from '@pointgate/contract/catalogue.ts';
import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { canCharge } from '@pointgate/contract/payment-methods.ts';

/** Something on sale as a card shows it: an item for the game, or E Points. */
export interface Pack extends Omit<Item, 'name'> {
  /** How long the gift lives; for ever where it says nothing. */
  giftDays: number | null;
}

export function packOfItem(item: Item): Pack {
  return { ...item, giftDays: null };
}

export function packOfPoints(points: PointPack, unit: string): Pack {
  const { giftQuantity, giftReason } = points;
  const isGiven = giftQuantity > 0n && giftReason !== null;
  return {
    ...points,
    unit,
    gift: isGiven ? { quantity: giftQuantity, reason: giftReason } : null,
    // E Points are never bought with E Points.
    pricePoints: null,
  };
}

/** The site's methods that this pack can be paid with. */
export function methodsFor(pack: Pack, methods: readonly PaymentMethod[]): PaymentMethod[] {
  return methods.filter((method) =>
    method === 'epoint' ? pack.pricePoints !== null : canCharge(method, pack.price.currency),
  );
}

/** What the pack costs when it is paid this way. */
export function priceOf({ price, pricePoints }: Pack, method: PaymentMethod): Price {
  const isInPoints = method === 'epoint' && pricePoints !== null;
  return isInPoints ? { amountMinor: pricePoints, currency: pointsUnit } : price;
}

/** Whether it can be bought now; `ended` and `sold_out` stay on the page to be read. */
export type Availability = 'open' | 'ended' | 'sold_out';

export function availabilityOf({ saleUntil, limit }: Pack, now: number): Availability {
  if (saleUntil !== null && Date.parse(saleUntil) <= now) return 'ended';
  return limit?.packsLeft === 0 ? 'sold_out' : 'open';
}

/** When something about these packs changes by itself. */
export function momentsOf(packs: readonly Pick<Pack, 'saleUntil' | 'limit'>[]): (string | null)[] {
  return packs.flatMap(({ saleUntil, limit }) => [saleUntil, limit?.resetAt ?? null]);
}
