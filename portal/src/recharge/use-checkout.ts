import type { Price } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSiteConfig } from '../config/site-config.tsx';
import type { Wish } from '../payment/order-intent.ts';
import { usePayWish } from '../payment/use-pay.ts';
import { methodsFor, type Pack, priceOf } from './pack.ts';

interface Recipient {
  /** What the line is called: a role gets a delivery, an account a credit. */
  label: string;
  name: string;
  /** Where there is little room. */
  shortName: string;
}

export interface Checkout {
  pack: Pack;
  price: Price;
  /** Nobody yet, as long as no role is chosen. */
  recipient: Recipient | null;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
  onMethod: (method: PaymentMethod) => void;
  /** Why paying is not possible yet, in words. */
  blocker: string | null;
  error: unknown;
  isBusy: boolean;
  onPay: () => void;
}

interface Basket extends Pick<Checkout, 'recipient' | 'blocker'> {
  pack: Pack | undefined;
  /** What the shop is asked for; nothing as long as something is missing. */
  wishFor: (pack: Pack, method: PaymentMethod) => Wish | null;
}

/** `null` when there is nothing to pay for, or no way to pay. */
export function useCheckout({ pack, recipient, blocker, wishFor }: Basket): Checkout | null {
  const config = useSiteConfig();
  const [wanted, setMethod] = useState<PaymentMethod | null>(null);
  const { pay, isBusy, failure } = usePayWish();
  if (pack === undefined) return null;
  const methods = methodsFor(pack, config.methods);
  const method = methods.find((each) => each === wanted) ?? methods[0];
  if (method === undefined) return null;

  const wish = wishFor(pack, method);
  return {
    pack,
    price: priceOf(pack, method),
    recipient,
    methods,
    method,
    onMethod: setMethod,
    blocker,
    // A refusal is of one wish; beside another choice it would be a lie.
    error: failure !== null && wish !== null && isSame(failure.input, wish) ? failure.error : null,
    isBusy,
    onPay: () => {
      if (wish !== null) pay(wish);
    },
  };
}

/** Kept in the address too, so that a reload and the way through sign-in find the same pack. */
export function useChosenPack(packs: readonly Pack[]): [Pack | undefined, (pack: Pack) => void] {
  const [query, setQuery] = useSearchParams();
  const [itemId, setItemId] = useState(query.get('item'));
  const chosen = packs.find((pack) => pack.itemId === itemId) ?? packs[1] ?? packs[0];
  return [
    chosen,
    (pack) => {
      setItemId(pack.itemId);
      query.set('item', pack.itemId);
      setQuery(query, { replace: true, preventScrollReset: true });
    },
  ];
}

function isSame(one: Wish, other: Wish): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
