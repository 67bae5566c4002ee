import {
  createOrder,
  createPointsOrder,
  type OrderDetail,
  payOrder,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import type { PaymentAction } from '@pointgate/contract/payment-actions.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useAddresses } from '../addresses.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { pointsKey } from '../session/point-balance.ts';
import { showToast } from '../ui/toast.tsx';
import { forgetOrder, forgetUnplaced, intentFor, notePlaced, type Wish } from './order-intent.ts';
import { offersKey, orderQuery } from './order-queries.ts';
import { payInWechat } from './wechat-bridge.ts';

type Payable = Pick<OrderDetail, 'paymentId' | 'method'>;

type Outcome =
  | { kind: 'leave'; url: string }
  | { kind: 'scan'; paymentId: string; code: string }
  /** Paid, or nothing to pay: the order's own page tells which. */
  | { kind: 'look'; paymentId: string; wasPaid: boolean };

/** Places the order for a wish and pays it: on the provider's page, or from the balance. */
export function usePayWish() {
  return usePayment(async (wish: Wish): Promise<Outcome> => {
    const { order, isOfOtherQuote } = await placeOrder(wish);
    const { paymentId } = order;
    // Not paid unseen: it may cost and give something else than the card that was just clicked.
    if (isPayable(order) && isOfOtherQuote) return { kind: 'look', paymentId, wasPaid: false };
    if (isPayable(order)) return await payFor(order);
    forgetOrder(paymentId);
    return { kind: 'look', paymentId, wasPaid: isPaid(order) };
  });
}

/** Pays an order that is there already. */
export function usePayOrder() {
  return usePayment(payFor);
}

interface Placed {
  order: OrderDetail;
  /** Placed earlier, when another offer was shown. */
  isOfOtherQuote: boolean;
}

async function placeOrder(wish: Wish): Promise<Placed> {
  const placed = await placeOrFind(wish);
  if (placed !== null && placed.order.shown !== 'PaymentFailed') return placed;
  // The kept order ran out in the meantime; the player wants a fresh one, not its obituary.
  if (placed !== null) forgetOrder(placed.order.paymentId);
  const fresh = await placeOrFind(wish);
  if (fresh === null) throw new Error('A wish without a kept order was placed for another quote.');
  return fresh;
}

/** `null` if the kept order was never placed, and its quote is gone: the wish is then free again. */
async function placeOrFind(wish: Wish): Promise<Placed | null> {
  const { clientOrderId, quoteId } = intentFor(wish);
  const isOfOtherQuote = quoteId !== wish.quoteId;
  try {
    const order = await createFor({ ...wish, quoteId }, clientOrderId);
    notePlaced({ clientOrderId, paymentId: order.paymentId });
    return { order, isOfOtherQuote };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'PriceChanged';
    if (!isRefused) throw error;
    forgetUnplaced(clientOrderId);
    if (isOfOtherQuote) return null;
    throw error;
  }
}

async function createFor(wish: Wish, clientOrderId: string): Promise<OrderDetail> {
  if (wish.kind === 'points') {
    const { kind, accountId, ...body } = wish;
    return await call(createPointsOrder, { ...body, clientOrderId });
  }
  const { kind, accountId, ...body } = wish;
  return await call(createOrder, { ...body, clientOrderId });
}

async function payFor({ paymentId, method }: Payable): Promise<Outcome> {
  try {
    if (method === 'epoint') {
      await call(payWithPoints, { paymentId });
      forgetOrder(paymentId);
      return { kind: 'look', paymentId, wasPaid: false };
    }
    const { action } = await call(payOrder, { paymentId });
    return await follow(action, paymentId);
  } catch (error) {
    // Paid elsewhere, or closed.
    const isOver = error instanceof ApiError && error.code === 'OrderNotPayable';
    if (isOver) return { kind: 'look', paymentId, wasPaid: false };
    throw error;
  }
}

/** Does what the provider wants next, as far as that can be done from here. */
async function follow(action: PaymentAction, paymentId: string): Promise<Outcome> {
  switch (action.kind) {
    case 'redirect':
      return { kind: 'leave', url: action.url };
    case 'qr':
      return { kind: 'scan', paymentId, code: action.content };
    case 'wechat_jsapi':
      await payInWechat(action.params);
      return { kind: 'look', paymentId, wasPaid: false };
  }
}

function isPayable({ shown }: OrderDetail): boolean {
  return shown === 'Unpaid' || shown === 'Processing';
}

function isPaid({ shown }: OrderDetail): boolean {
  return shown === 'Paid' || shown === 'Fulfilled';
}

function usePayment<Input>(pay: (input: Input) => Promise<Outcome>) {
  const navigate = useNavigate();
  const addresses = useAddresses();
  const queryClient = useQueryClient();
  // State arrives a moment after the click; the second click of a double click does not wait.
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    mutationFn: pay,
    onError: () => {
      isUnderWay.current = false;
      // A balance that did not suffice is not the one that was shown, and neither is a price.
      void queryClient.invalidateQueries({ queryKey: pointsKey });
      void queryClient.invalidateQueries({ queryKey: offersKey });
    },
    onSuccess: async (outcome) => {
      if (outcome.kind === 'leave') return window.location.assign(outcome.url);
      const { paymentId } = outcome;
      void queryClient.invalidateQueries({ queryKey: pointsKey });
      // It took of what a limit leaves, and maybe the gift of a first purchase.
      void queryClient.invalidateQueries({ queryKey: offersKey });
      await queryClient.invalidateQueries(orderQuery(paymentId));
      isUnderWay.current = false;
      const address = addresses.order(paymentId);
      const { pathname, search } = window.location;
      const isThere = (pathname + search).startsWith(address);
      if (outcome.kind === 'scan') {
        return await navigate(address, { state: { scan: outcome.code }, replace: isThere });
      }
      if (!isThere) await navigate(address);
      // Who wanted a second pack sees the first one there, and would take it for the second.
      if (outcome.wasPaid) showToast((t) => t('order.alreadyPaid'));
    },
  });

  const { reset } = mutation;
  useEffect(() => {
    // Back from the provider's page the browser may show this one as it was left: busy.
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      isUnderWay.current = false;
      reset();
      void queryClient.invalidateQueries({ queryKey: offersKey });
    };
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  }, [reset, queryClient]);

  return {
    isBusy: mutation.isPending || mutation.data?.kind === 'leave',
    /** Why the last try failed, and what it was for. */
    failure: mutation.isError ? { error: mutation.error, input: mutation.variables } : null,
    /** The player has read it. */
    forgetFailure: reset,
    pay: (input: Input, onError?: (error: unknown) => void) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      // Not as an option of `mutate`: those are forgotten as long as React does not listen to the
      // mutation, and it begins to a moment after the page is drawn.
      mutation.mutateAsync(input).catch((error: unknown) => onError?.(error));
    },
  };
}
