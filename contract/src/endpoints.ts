import { encryptionKeys, login, logout, userInfo } from './accounts.ts';
import { renewLoggerKey } from './analytics.ts';
import { bulletinDetail, bulletinList, bulletinTop, pageContent } from './bulletins.ts';
import { flatItems, gameList, itemGroups, pointPacks } from './catalogue.ts';
import { gameInfo, roleList, selectCharacter, serverList } from './characters.ts';
import { humanChallenge, sendEmailCode, sendPhoneCode } from './codes.ts';
import { couponList } from './coupons.ts';
import type { Endpoint } from './endpoint.ts';
import { secureAccount } from './notices.ts';
import {
  createOrder,
  createPointsOrder,
  orderDetail,
  orderList,
  orderReceipt,
  payOrder,
  payWithPoints,
} from './orders.ts';
import {
  changeAddress,
  changePassword,
  makeRecoveryCodes,
  ownSecurity,
  removeAddress,
  sendAddressCode,
} from './own-account.ts';
import {
  finishPasskey,
  finishPasskeyLogin,
  finishStepUp,
  listPasskeys,
  removePasskey,
  startPasskey,
  startPasskeyLogin,
  startStepUp,
} from './passkeys.ts';
import {
  resetPasswordByEmail,
  resetPasswordByPhone,
  resetPasswordByRecoveryCode,
  reviewPasskeys,
} from './passwords.ts';
import { paymentMethods } from './payment-methods.ts';
import { queryBudget, realNameInfo, setBudget } from './people.ts';
import { paymentsOfRecords, pointBalance, pointLots, pointRecord } from './points.ts';
import { leaveShop, requestExport } from './privacy.ts';
import { pointsRebateInfo, rebateInfo } from './promotions.ts';
import { redeemCode } from './redeem.ts';
import { endSession, listSessions } from './sessions.ts';
import { startSignIn, wechatOpenId } from './sign-in.ts';
import { supportLink } from './support.ts';
import { sdkTicket } from './tickets.ts';
import { serverTime } from './time.ts';

/** All endpoints. The OpenAPI file and the generated tests iterate over this list. */
export const endpoints: readonly Endpoint[] = [
  serverTime,
  encryptionKeys,
  startSignIn,
  login,
  wechatOpenId,
  userInfo,
  logout,
  listSessions,
  endSession,
  leaveShop,
  requestExport,
  humanChallenge,
  sendEmailCode,
  sendPhoneCode,
  resetPasswordByEmail,
  resetPasswordByPhone,
  resetPasswordByRecoveryCode,
  reviewPasskeys,
  ownSecurity,
  changePassword,
  sendAddressCode,
  changeAddress,
  removeAddress,
  makeRecoveryCodes,
  secureAccount,
  sdkTicket,
  startPasskey,
  finishPasskey,
  listPasskeys,
  removePasskey,
  startPasskeyLogin,
  finishPasskeyLogin,
  startStepUp,
  finishStepUp,
  realNameInfo,
  queryBudget,
  setBudget,
  serverList,
  roleList,
  selectCharacter,
  gameInfo,
  gameList,
  flatItems,
  itemGroups,
  pointPacks,
  rebateInfo,
  pointsRebateInfo,
  couponList,
  paymentMethods,
  createOrder,
  createPointsOrder,
  payOrder,
  payWithPoints,
  orderDetail,
  orderList,
  orderReceipt,
  pointBalance,
  pointLots,
  pointRecord,
  paymentsOfRecords,
  redeemCode,
  bulletinList,
  bulletinDetail,
  bulletinTop,
  pageContent,
  supportLink,
  renewLoggerKey,
];
