import { encryptionKeys, login, logout, userInfo } from './accounts.ts';
import { itemGroups, pointPacks } from './catalogue.ts';
import { gameInfo, roleList, selectCharacter, serverList } from './characters.ts';
import type { Endpoint } from './endpoint.ts';
import {
  createOrder,
  createPointsOrder,
  orderDetail,
  orderList,
  orderReceipt,
  payOrder,
  payWithPoints,
} from './orders.ts';
import { paymentsOfRecords, pointBalance, pointRecord } from './points.ts';
import { serverTime } from './time.ts';

/** Every call there is. The OpenAPI file and the generated tests walk this list. */
export const endpoints: readonly Endpoint[] = [
  serverTime,
  encryptionKeys,
  login,
  userInfo,
  logout,
  serverList,
  roleList,
  selectCharacter,
  gameInfo,
  itemGroups,
  pointPacks,
  createOrder,
  createPointsOrder,
  payOrder,
  payWithPoints,
  orderDetail,
  orderList,
  orderReceipt,
  pointBalance,
  pointRecord,
  paymentsOfRecords,
];
