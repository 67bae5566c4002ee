import {
  createOrder,
  createPointsOrder,
  type OrderDetail,
  payOrder,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { orderAddress } from '../addresses.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { pointsKey } from '../session/point-balance.ts';
import { showToast } from '../ui/toast.tsx';
import { forgetOrder, notePlaced, orderIdFor, type Wish } from './order-intent.ts';
import { orderQuery } from './order-queries.ts';

type Payable = Pick<OrderDetail, 'paymentId' | 'method'>;

type Outcome =
  | { kind: 'leave'; url: string }
  /** Paid, or nothing to pay: the order's own page tells which. */
  | { kind: 'look'; paymentId: string; wasPaid: boolean };

/** Places the order for a wish and pays it: on the provider's page, or from the balance. */
export function usePayWish() {
  return usePayment(async (wish: Wish): Promise<Outcome> => {
    const order = await placeOrder(wish);
    if (isPayable(order)) return await payFor(order);
    forgetOrder(order.paymentId);
    return { kind: 'look', paymentId: order.paymentId, wasPaid: isPaid(order) };
  });
}

/** Pays an order that is there already. */
export function usePayOrder() {
  return usePayment(payFor);
}

async function placeOrder(wish: Wish): Promise<OrderDetail> {
  const place = async () => {
    const clientOrderId = orderIdFor(wish);
    const order = await createFor(wish, clientOrderId);
    notePlaced({ clientOrderId, paymentId: order.paymentId });
    return order;
  };
  const order = await place();
  if (order.shown !== 'PaymentFailed') return order;
  // The kept order ran out in the meantime; the player wants a fresh one, not its obituary.
  forgetOrder(order.paymentId);
  return await place();
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
    return { kind: 'leave', url: action.url };
  } catch (error) {
    // Paid elsewhere, or closed.
    const isOver = error instanceof ApiError && error.code === 'OrderNotPayable';
    if (isOver) return { kind: 'look', paymentId, wasPaid: false };
    throw error;
  }
}

function isPayable({ shown }: OrderDetail): boolean {
  return shown === 'Unpaid' || shown === 'Processing';
}

function isPaid({ shown }: OrderDetail): boolean {
  return shown === 'Paid' || shown === 'Fulfilled';
}

function usePayment<Input>(pay: (input: Input) => Promise<Outcome>) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // State arrives a moment after the click; the second click of a double click does not wait.
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    mutationFn: pay,
    onError: () => {
      isUnderWay.current = false;
      // A balance that did not suffice is not the one that was shown.
      void queryClient.invalidateQueries({ queryKey: pointsKey });
    },
    onSuccess: async (outcome) => {
      if (outcome.kind === 'leave') return window.location.assign(outcome.url);
      const { paymentId, wasPaid } = outcome;
      void queryClient.invalidateQueries({ queryKey: pointsKey });
      await queryClient.invalidateQueries(orderQuery(paymentId));
      isUnderWay.current = false;
      const address = orderAddress(paymentId);
      if (window.location.pathname !== address) await navigate(address);
      // Who wanted a second pack sees the first one there, and would take it for the second.
      if (wasPaid) showToast(t('order.alreadyPaid'));
    },
  });

  const { reset } = mutation;
  useEffect(() => {
    // Back from the provider's page the browser may show this one as it was left: busy.
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      isUnderWay.current = false;
      reset();
    };
    window.addEventListener('pageshow', wake);
    return () => window.removeEventListener('pageshow', wake);
  }, [reset]);

  return {
    isBusy: mutation.isPending || mutation.data?.kind === 'leave',
    /** Why the last try failed, and what it was for. */
    failure: mutation.isError ? { error: mutation.error, input: mutation.variables } : null,
    pay: (input: Input) => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(input);
    },
  };
}
