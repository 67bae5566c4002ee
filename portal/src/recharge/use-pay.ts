import type { RefusalOf } from '@pointgate/contract/endpoint.ts';
import { createOrder, type OrderDetail, payOrder } from '@pointgate/contract/orders.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError, isErrorCode } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { showToast } from '../ui/toast.tsx';
import { forgetOrder, notePlaced, orderIdFor, type Wish } from './order-intent.ts';

type Outcome =
  | { kind: 'leave'; url: string }
  /** Nothing to pay: the order's own page tells why. */
  | { kind: 'look'; paymentId: string; isPaid: boolean };

/** Places the order for a wish and takes the player to the provider's page. */
export function usePayWish() {
  return usePayment(async (wish: Wish): Promise<Outcome> => {
    const order = await placeOrder(wish);
    if (!isPayable(order)) {
      forgetOrder(order.paymentId);
      return { kind: 'look', paymentId: order.paymentId, isPaid: isPaid(order) };
    }
    return await openPayment(order.paymentId);
  });
}

/** Takes the player to the provider's page for an order that is there already. */
export function usePayOrder() {
  return usePayment(openPayment);
}

async function placeOrder({ accountId, ...wish }: Wish): Promise<OrderDetail> {
  const place = async () => {
    const clientOrderId = orderIdFor({ accountId, ...wish });
    const order = await call(createOrder, { ...wish, clientOrderId });
    notePlaced({ clientOrderId, paymentId: order.paymentId });
    return order;
  };
  const order = await place();
  if (order.shown !== 'PaymentFailed') return order;
  // The kept order ran out in the meantime; the player wants a fresh one, not its obituary.
  forgetOrder(order.paymentId);
  return await place();
}

async function openPayment(paymentId: string): Promise<Outcome> {
  try {
    const { action } = await call(payOrder, { paymentId });
    return { kind: 'leave', url: action.url };
  } catch (error) {
    // Paid elsewhere, or closed: the order's own page tells which.
    const isOver = error instanceof ApiError && error.code === 'OrderNotPayable';
    if (isOver) return { kind: 'look', paymentId, isPaid: false };
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
  // State arrives a moment after the click; the second click of a double click does not wait.
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    mutationFn: pay,
    onError: () => {
      isUnderWay.current = false;
    },
    onSuccess: async (outcome) => {
      if (outcome.kind === 'leave') return window.location.assign(outcome.url);
      isUnderWay.current = false;
      await navigate(`/main/recharge/detail/${outcome.paymentId}`);
      // Who wanted a second pack sees the first one there, and would take it for the second.
      if (outcome.isPaid) showToast(t('order.alreadyPaid'));
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

type PayRefusal = RefusalOf<typeof createOrder> | RefusalOf<typeof payOrder>;
type MoneyNote = `recharge.${'notCharged' | 'notChargedRetry' | 'notChargedTwice'}`;

const moneyNotes: Record<PayRefusal, MoneyNote> = {
  ForeignOrigin: 'recharge.notCharged',
  GameAccountNotFound: 'recharge.notCharged',
  GameUnavailable: 'recharge.notChargedRetry',
  InternalError: 'recharge.notChargedRetry',
  InvalidParams: 'recharge.notCharged',
  InvalidToken: 'recharge.notCharged',
  ItemNotForSale: 'recharge.notCharged',
  NotAvailableInIos: 'recharge.notCharged',
  OrderNotPayable: 'recharge.notChargedTwice',
  PaymentIdWrong: 'recharge.notCharged',
  PaymentInitiationFailed: 'recharge.notChargedRetry',
  PaymentUnconfirmed: 'recharge.notChargedTwice',
  RoleNotFound: 'recharge.notCharged',
  ServerMaintenance: 'recharge.notCharged',
  ServerNotFound: 'recharge.notCharged',
  SystemBusy: 'recharge.notChargedRetry',
};

/** What a failure to pay means for the player's money: it moves only on the provider's page. */
export function moneyNote(error: unknown): MoneyNote {
  const code = error instanceof ApiError ? error.code : null;
  if (code === null || !isErrorCode(code) || !isPayRefusal(code)) return 'recharge.notChargedRetry';
  return moneyNotes[code];
}

function isPayRefusal(code: string): code is PayRefusal {
  return Object.hasOwn(moneyNotes, code);
}
