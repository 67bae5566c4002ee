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
import { ApiError } from '../../shared/api/api-error.ts';
import { call } from '../../shared/api/client.ts';
import { showToast } from '../../shared/ui/toast.tsx';
import { useAddresses } from '../addresses/addresses.ts';
import { pointsKey } from '../session/point-balance.ts';
import {
  forgetOrder,
  forgetUnplaced,
  intentFor,
  notePlaced,
  type OrderRequest,
} from './order-intent.ts';
import { offersKey, orderQuery } from './order-queries.ts';
import { payInWechat } from './wechat-bridge.ts';

type Payable = Pick<OrderDetail, 'paymentId' | 'method'>;

type Outcome =
  | { kind: 'leave'; url: string }
  | { kind: 'scan'; paymentId: string; code: string }
  /** Show the order page, because the order is paid or cannot be paid. */
  | { kind: 'look'; paymentId: string; wasPaid: boolean };

/** Places the order of a wish and pays it: on the page of the provider, or from the balance. */
export function usePayWish() {
  return usePayment(async (wish: OrderRequest): Promise<Outcome> => {
    const { order, isOfOtherQuote } = await placeOrder(wish);
    const { paymentId } = order;
    // Not paid unseen: price and goods may differ from the pack that was just clicked.
    if (isPayable(order) && isOfOtherQuote) return { kind: 'look', paymentId, wasPaid: false };
    if (isPayable(order)) return await payFor(order);
    forgetOrder(paymentId);
    return { kind: 'look', paymentId, wasPaid: isPaid(order) };
  });
}

/** Pays an existing order. */
export function usePayOrder() {
  return usePayment(payFor);
}

interface Placed {
  order: OrderDetail;
  /** Whether the order was placed earlier with another quote. */
  isOfOtherQuote: boolean;
}

async function placeOrder(wish: OrderRequest): Promise<Placed> {
  const placed = await placeOrFind(wish);
  if (placed !== null && placed.order.shown !== 'PaymentFailed') return placed;
  // The stored order has expired in the meantime, so a new one is placed.
  if (placed !== null) forgetOrder(placed.order.paymentId);
  const fresh = await placeOrFind(wish);
  if (fresh === null) throw new Error('A wish without a kept order was placed for another quote.');
  return fresh;
}

/** `null` if the stored order was never placed and its quote is no longer valid. */
async function placeOrFind(wish: OrderRequest): Promise<Placed | null> {
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

async function createFor(wish: OrderRequest, clientOrderId: string): Promise<OrderDetail> {
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
    // The order was paid elsewhere or closed.
    const isOver = error instanceof ApiError && error.code === 'OrderNotPayable';
    if (isOver) return { kind: 'look', paymentId, wasPaid: false };
    throw error;
  }
}

/** Carries out the next action of the provider, such as a redirect. */
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
  // A ref, because state is set only after a render, which a double click may precede.
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    mutationFn: pay,
    onError: () => {
      isUnderWay.current = false;
      // A refusal for the balance or the price means that the shown one is outdated.
      void queryClient.invalidateQueries({ queryKey: pointsKey });
      void queryClient.invalidateQueries({ queryKey: offersKey });
    },
    onSuccess: async (outcome) => {
      if (outcome.kind === 'leave') return window.location.assign(outcome.url);
      const { paymentId } = outcome;
      void queryClient.invalidateQueries({ queryKey: pointsKey });
      // The order counts toward purchase limits and may have used the first-purchase gift.
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
      // A player who wanted a second pack must not mistake the first order for it.
      if (outcome.wasPaid) showToast((t) => t('order.alreadyPaid'));
    },
  });

  const { reset } = mutation;
  useEffect(() => {
    // The back/forward cache may restore this page in its busy state.
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
    /** The error and the input of the last attempt. */
    failure: mutation.isError ? { error: mutation.error, input: mutation.variables } : null,
    /** Dismisses the error. */
    forgetFailure: reset,
    pay: (input: Input, onError?: (error: unknown) => void) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      // Not as an option of `mutate`: its callbacks are dropped while no component observes the
      // mutation, and the observer subscribes only after the first render.
      mutation.mutateAsync(input).catch((error: unknown) => onError?.(error));
    },
  };
}
