/**
 * All refusal codes. A code is a public interface: it is never renamed and never reused. The first
 * block is the catalogue of the specification, with its exact spelling.
 */
export const errorCodes = {
  AuthFail: { status: 200, meaning: 'User authentication failed' },
  EmailAccountNotFound: { status: 200, meaning: 'Account does not exist' },
  FacebookAccountNotFound: { status: 200, meaning: 'Account does not exist' },
  GameAccountNotFound: { status: 200, meaning: 'Account does not exist' },
  GooglePGAccountNotFound: { status: 200, meaning: 'Account does not exist' },
  LoginNameAccountNotFound: { status: 200, meaning: 'Account does not exist' },
  MobileAccountNotFound: { status: 200, meaning: 'Account does not exist' },
  AppleSignInAccountNotFound: { status: 200, meaning: 'Account does not exist' },
  InvalidMobileCode: { status: 200, meaning: 'Mobile phone verification code is incorrect' },
  // A malformed body is refused with the same code and HTTP 400.
  InvalidParams: { status: 200, meaning: 'Parameter exception' },
  InvalidPassword: { status: 200, meaning: 'Incorrect password' },
  InvalidToken: { status: 203, meaning: 'illegal token' },
  SystemBusy: { status: 503, meaning: 'The system is busy' },
  AuthCodeSendTooFrequently: {
    status: 200,
    meaning: 'The verification code is obtained too frequently',
  },
  canNoEmailLogin: {
    status: 200,
    meaning: 'Email login is not supported, please choose another login method',
  },

  AccountLeaving: {
    status: 200,
    meaning: 'This account is about to be deleted. Sign in to keep it.',
  },
  AccountSuspended: {
    status: 200,
    meaning: 'This account is suspended. Please contact customer service.',
  },
  AddressTaken: { status: 200, meaning: 'This is already used by another account' },
  ArrivalRefused: {
    status: 200,
    meaning: 'This link has expired or was already used. Please sign in.',
  },
  BudgetReached: { status: 200, meaning: 'This payment would exceed the monthly budget you set' },
  BulletinMissing: { status: 200, meaning: 'The announcement is missing' },
  CouponBelowMinimum: { status: 200, meaning: 'This order costs too little for the coupon' },
  CouponExpired: { status: 200, meaning: 'This coupon has expired' },
  CouponNotForThis: { status: 200, meaning: 'This coupon is not for this order' },
  CouponNotFound: { status: 200, meaning: 'This coupon does not exist' },
  CouponNotStarted: { status: 200, meaning: 'This coupon cannot be used yet' },
  CouponUsed: { status: 200, meaning: 'This coupon is already used by another order' },
  CustomerServiceMissing: { status: 200, meaning: 'Failed to jump to customer service' },
  EPointDebt: {
    status: 200,
    meaning: 'A refunded top-up left your E Point balance in debt, please recharge.',
  },
  EPointInsufficient: {
    status: 200,
    meaning: 'The E-point balance is insufficient, please recharge.',
  },
  ForeignOrigin: { status: 403, meaning: 'This call is only accepted from the shop itself' },
  GameUnavailable: { status: 200, meaning: 'The game does not answer, please try again later' },
  HumanProofNeeded: { status: 200, meaning: 'Please confirm that you are human first' },
  InternalError: { status: 500, meaning: 'unknown error' },
  InvalidEmailCode: { status: 200, meaning: 'Email verification code is incorrect' },
  InvalidRecoveryCode: { status: 200, meaning: 'This account or recovery code is incorrect' },
  ItemNotForSale: { status: 200, meaning: 'This item is not for sale' },
  LastWayBack: {
    status: 200,
    meaning: 'Without this you could not get back in. Please add another way first.',
  },
  LoginMethodNotOffered: { status: 200, meaning: 'This login method is not offered here' },
  MethodUnavailable: { status: 200, meaning: 'This payment method is not available right now' },
  NotAvailableInIos: { status: 200, meaning: 'Not Available in iOS' },
  NotFound: { status: 404, meaning: 'There is nothing at this address' },
  NoticeExpired: { status: 200, meaning: 'This link has expired or was already used' },
  OrderNotPaid: { status: 200, meaning: 'This order has not been paid' },
  OrderNotPayable: { status: 200, meaning: 'This order can no longer be paid' },
  OrderPricedInMoney: { status: 200, meaning: 'This order is paid with money, not with E Points' },
  OrderPricedInPoints: { status: 200, meaning: 'This order is paid with E Points, not with money' },
  // Its data is `OtherAccount` in `arrivals.ts`.
  OtherAccount: { status: 200, meaning: 'This link is for another account' },
  PageMissing: { status: 200, meaning: 'This page does not exist' },
  PasskeyRefused: { status: 200, meaning: "We couldn't verify that passkey. Please try again." },
  PasswordFormatMismatch: { status: 200, meaning: 'Password format mismatch' },
  PasswordKnown: {
    status: 200,
    meaning: 'This password is known from data leaks, please choose another',
  },
  PaymentIdWrong: { status: 200, meaning: 'Payment order number is wrong' },
  PaymentInitiationFailed: { status: 200, meaning: 'Payment initiation failed' },
  PaymentUnconfirmed: {
    status: 200,
    meaning: 'The payment provider has not confirmed yet, nothing was charged twice',
  },
  PriceChanged: { status: 200, meaning: 'The price or the content has changed, please look again' },
  PurchaseLimitReached: { status: 200, meaning: 'This item cannot be bought more often for now' },
  RealNameNeeded: { status: 200, meaning: 'Please verify your identity in the game before paying' },
  // Its data is `RealNameWaits` in `people.ts`.
  RealNameWaits: {
    status: 200,
    meaning:
      'A code reset your password or signed in somewhere new. Your real-name information stays closed for three days.',
  },
  RedeemCodeExpired: { status: 200, meaning: 'This code has expired' },
  RedeemCodeNotFound: {
    status: 200,
    meaning: 'There is no such code, please check what you typed',
  },
  RedeemCodeNotStarted: { status: 200, meaning: 'This code cannot be redeemed yet' },
  RedeemCodeUsed: { status: 200, meaning: 'This code has been used' },
  RedeemLimitReached: {
    status: 200,
    meaning: 'You have redeemed as many codes of this campaign as you can',
  },
  RedeemThrottled: { status: 200, meaning: 'Too many wrong codes, please try again in an hour' },
  RedeemWrongRegion: {
    status: 200,
    meaning: 'This code is not valid on this site or in this region',
  },
  RefundTooLarge: { status: 200, meaning: 'There is not that much left to refund' },
  ReviewExpired: {
    status: 200,
    meaning: 'This took too long. Please reset your password again.',
  },
  RoleNotFound: { status: 200, meaning: 'Please select role information' },
  ServerMaintenance: {
    status: 200,
    meaning: 'The server is under maintenance, please try again later.',
  },
  ServerNotFound: { status: 200, meaning: 'Please select server and role information first' },
  SignInThrottled: { status: 200, meaning: 'Too many attempts, please try again later' },
  // The row of the site is malformed, until an operator corrects it.
  SiteUnavailable: {
    status: 503,
    meaning: 'This shop is under maintenance, please try again later.',
  },
  SpendingLimitReached: {
    status: 200,
    meaning: 'This payment would go over the spending limit for your age group',
  },
  StepUpNeeded: { status: 200, meaning: 'Please confirm with your passkey first' },
  WechatAccountNotFound: { status: 200, meaning: 'Account does not exist' },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** Every call may be refused with these; an endpoint lists only its own codes. */
export const commonRefusals = [
  'InvalidParams',
  'SystemBusy',
  'SiteUnavailable',
  'InternalError',
] as const satisfies ErrorCode[];

/** Player calls may also be refused with these: an ended session, or a cross-origin write. */
export const playerRefusals = ['InvalidToken', 'ForeignOrigin'] as const satisfies ErrorCode[];
