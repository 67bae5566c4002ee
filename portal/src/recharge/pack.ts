import type { Item, PointPack } from '@pointgate/contract/catalogue.ts';
import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';

/** Something on sale as a card shows it: an item for the game, or E Points. */
export interface Pack extends Omit<Item, 'name'> {
  /** How long the gift lives; for ever where it says nothing. */
  giftDays: number | null;
}

export function packOfItem(item: Item): Pack {
  return { ...item, giftDays: null };
}

export function packOfPoints(points: PointPack, unit: string): Pack {
  const { giftQuantity } = points;
  return {
    ...points,
    unit,
    gift: giftQuantity === 0n ? null : { quantity: giftQuantity, reason: 'bonus' },
    // E Points are never bought with E Points.
    pricePoints: null,
  };
}

/** The site's methods that this pack can be paid with. */
export function methodsFor(pack: Pack, methods: readonly PaymentMethod[]): PaymentMethod[] {
  return methods.filter((method) => method !== 'epoint' || pack.pricePoints !== null);
}

/** What the pack costs when it is paid this way. */
export function priceOf({ price, pricePoints }: Pack, method: PaymentMethod): Price {
  const isInPoints = method === 'epoint' && pricePoints !== null;
  return isInPoints ? { amountMinor: pricePoints, currency: pointsUnit } : price;
}
