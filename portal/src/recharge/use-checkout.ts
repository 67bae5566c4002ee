import type { Quote } from '@pointgate/contract/catalogue.ts';
import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useState } from 'react';
import { useSiteConfig } from '../config/site-config.tsx';
import { nameOf, type Wish } from '../payment/order-intent.ts';
import { newQuoteOf } from '../payment/refusal-data.ts';
import { usePayWish } from '../payment/use-pay.ts';
import { methodsFor, type Pack, priceOf } from './pack.ts';

interface Recipient {
  /** What the line is called: a role gets a delivery, an account a credit. */
  label: string;
  name: string;
  /** Where there is little room. */
  shortName: string;
}

/** What is paid and what comes for it. */
export interface Deal {
  price: Price;
  quantity: bigint;
  giftQuantity: bigint;
}

/** The shop refused because the offer is another one now. Nothing is bought without a yes to it. */
export interface OfferChange {
  unit: string;
  before: Deal;
  now: Deal;
  /** No longer sold for what the player wanted to pay with. */
  isOtherUnit: boolean;
  method: PaymentMethod;
  error: unknown;
  isBusy: boolean;
  onAccept: () => void;
  onDecline: () => void;
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
  change: OfferChange | null;
  isBusy: boolean;
  onPay: () => void;
}

interface Basket extends Pick<Checkout, 'recipient' | 'blocker'> {
  pack: Pack | undefined;
  /** What the shop is asked for; nothing as long as something is missing. */
  wishFor: (pack: Pack, method: PaymentMethod) => Wish | null;
}

interface Refused {
  wish: Wish;
  unit: string;
  before: Deal;
  quote: Quote;
}

/** `null` when there is nothing to pay for, or no way to pay. */
export function useCheckout({ pack, recipient, blocker, wishFor }: Basket): Checkout | null {
  const config = useSiteConfig();
  const [wanted, setMethod] = useState<PaymentMethod | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const { pay, isBusy, failure, forgetFailure } = usePayWish();
  if (pack === undefined) return null;
  const methods = methodsFor(pack, config.methods);
  const method = methods.find((each) => each === wanted) ?? methods[0];
  if (method === undefined) return null;

  const buy = (wish: Wish, { unit, before }: { unit: string; before: Deal }) =>
    pay(wish, (error) => {
      const quote = newQuoteOf(error);
      if (quote !== null) setRefused({ wish, unit, before, quote });
    });
  const wish = wishFor(pack, method);
  return {
    pack,
    price: priceOf(pack, method),
    recipient,
    methods,
    method,
    onMethod: setMethod,
    blocker,
    error: refused === null && wish !== null ? errorOf(failure, wish) : null,
    change: refused && {
      ...changeOf(refused),
      error: errorOf(failure, refused.wish),
      isBusy,
      onAccept: () => {
        const { unit, quote } = refused;
        const accepted = { ...refused.wish, quoteId: quote.quoteId };
        buy(accepted, { unit, before: dealOf(quote, accepted.method) });
      },
      onDecline: () => {
        setRefused(null);
        forgetFailure();
      },
    },
    isBusy,
    onPay: () => {
      if (wish !== null) buy(wish, { unit: pack.unit, before: dealOfPack(pack, method) });
    },
  };
}

type Failure = { error: unknown; input: Wish } | null;

/** A refusal is of one wish; beside another choice it would be a lie. */
function errorOf(failure: Failure, wish: Wish): unknown {
  if (failure === null || nameOf(failure.input) !== nameOf(wish)) return null;
  return newQuoteOf(failure.error) === null ? failure.error : null;
}

function changeOf({ wish, unit, before, quote }: Refused) {
  const now = dealOf(quote, wish.method);
  const isOtherUnit = now.price.currency !== before.price.currency;
  return { unit, before, now, isOtherUnit, method: wish.method };
}

function dealOf(
  { quantity, giftQuantity, price, pricePoints }: Quote,
  method: PaymentMethod,
): Deal {
  const isInPoints = method === 'epoint' && pricePoints !== null;
  const inPoints = isInPoints ? { amountMinor: pricePoints, currency: pointsUnit } : price;
  return { price: inPoints, quantity, giftQuantity };
}

function dealOfPack(pack: Pack, method: PaymentMethod): Deal {
  const { quantity, gift } = pack;
  return { price: priceOf(pack, method), quantity, giftQuantity: gift?.quantity ?? 0n };
}
