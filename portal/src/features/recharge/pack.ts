import type { Item, PointPack } from '@pointgate/contract/catalogue.ts';
import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { canCharge } from '@pointgate/contract/payment-methods.ts';

/** A pack as shown on a card: an item for the game, or E Points. */
export interface Pack extends Omit<Item, 'name'> {
  /** The days until the gift expires; `null` if it never does. */
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

/** The payment methods of the site that accept this pack. */
export function methodsFor(pack: Pack, methods: readonly PaymentMethod[]): PaymentMethod[] {
  return methods.filter((method) =>
    method === 'epoint' ? pack.pricePoints !== null : canCharge(method, pack.price.currency),
  );
}

/** The price of the pack with this payment method. */
export function priceOf({ price, pricePoints }: Pack, method: PaymentMethod): Price {
  const isInPoints = method === 'epoint' && pricePoints !== null;
  return isInPoints ? { amountMinor: pricePoints, currency: pointsUnit } : price;
}

/** Whether the pack can be bought now; `ended` and `sold_out` packs stay visible. */
export type Availability = 'open' | 'ended' | 'sold_out';

export function availabilityOf({ saleUntil, limit }: Pack, now: number): Availability {
  if (saleUntil !== null && Date.parse(saleUntil) <= now) return 'ended';
  return limit?.packsLeft === 0 ? 'sold_out' : 'open';
}

/** The times at which the availability of these packs changes. */
export function momentsOf(packs: readonly Pick<Pack, 'saleUntil' | 'limit'>[]): (string | null)[] {
  return packs.flatMap(({ saleUntil, limit }) => [saleUntil, limit?.resetAt ?? null]);
}
