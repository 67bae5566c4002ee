import type { RefusalOf } from '@pointgate/contract/endpoint.ts';
import type {
  createOrder,
  createPointsOrder,
  PaymentMethod,
  payOrder,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import { ApiError } from '../../shared/api/api-error.ts';

type PayRefusal = RefusalOf<
  typeof createOrder | typeof createPointsOrder | typeof payOrder | typeof payWithPoints
>;
type MoneyNote = `recharge.${'notCharged' | 'notChargedRetry' | 'notChargedTwice'}`;

const moneyNotes: Record<PayRefusal, MoneyNote> = {
  BudgetReached: 'recharge.notCharged',
  CouponBelowMinimum: 'recharge.notCharged',
  CouponExpired: 'recharge.notCharged',
  CouponNotForThis: 'recharge.notCharged',
  CouponNotFound: 'recharge.notCharged',
  CouponNotStarted: 'recharge.notCharged',
  CouponUsed: 'recharge.notCharged',
  EPointDebt: 'recharge.notCharged',
  EPointInsufficient: 'recharge.notCharged',
  ForeignOrigin: 'recharge.notCharged',
  GameAccountNotFound: 'recharge.notCharged',
  GameUnavailable: 'recharge.notChargedRetry',
  InternalError: 'recharge.notChargedRetry',
  InvalidParams: 'recharge.notCharged',
  InvalidToken: 'recharge.notCharged',
  ItemNotForSale: 'recharge.notCharged',
  MethodUnavailable: 'recharge.notCharged',
  NotAvailableInIos: 'recharge.notCharged',
  OrderNotPayable: 'recharge.notChargedTwice',
  OrderPricedInMoney: 'recharge.notCharged',
  OrderPricedInPoints: 'recharge.notCharged',
  PaymentIdWrong: 'recharge.notCharged',
  PaymentInitiationFailed: 'recharge.notChargedRetry',
  PaymentUnconfirmed: 'recharge.notChargedTwice',
  PriceChanged: 'recharge.notCharged',
  PurchaseLimitReached: 'recharge.notCharged',
  RealNameNeeded: 'recharge.notCharged',
  RoleNotFound: 'recharge.notCharged',
  ServerMaintenance: 'recharge.notCharged',
  ServerNotFound: 'recharge.notCharged',
  SignInThrottled: 'recharge.notCharged',
  SiteUnavailable: 'recharge.notChargedRetry',
  SpendingLimitReached: 'recharge.notCharged',
  SystemBusy: 'recharge.notChargedRetry',
};

/**
 * What a failed payment means for the player's money. Money is charged only on the provider page,
 * but E Points are charged by the call itself: without its response nobody knows whether it
 * succeeded.
 */
export function moneyNote(error: unknown, method: PaymentMethod): MoneyNote {
  const note = noteOf(error);
  const isUnsure = method === 'epoint' && note === 'recharge.notChargedRetry';
  return isUnsure ? 'recharge.notChargedTwice' : note;
}

function noteOf(error: unknown): MoneyNote {
  const code = error instanceof ApiError ? error.code : null;
  return isPayRefusal(code) ? moneyNotes[code] : 'recharge.notChargedRetry';
}

function isPayRefusal(code: string | number | null): code is PayRefusal {
  return code !== null && Object.hasOwn(moneyNotes, code);
}
