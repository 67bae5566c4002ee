import { givenOrder, givenPointsOrder } from './shop.tsx';

const listed = [
  ...['paymentId', 'kind', 'status', 'record', 'shown', 'orderType', 'method', 'gameId'],
  ...['gameName', 'serverName', 'roleName', 'gameAccountId', 'itemName', 'itemArt', 'unit'],
  ...['quantity', 'giftQuantity', 'amountMinor', 'currency', 'refundedMinor', 'createdAt'],
  ...['expireAt', 'paidAt'],
];

/** An order as in the order list. */
export const givenListedOrder = (other: object = {}) => pickListed(givenOrder(other));
export const givenListedPointsOrder = (other: object = {}) => pickListed(givenPointsOrder(other));

function pickListed(order: object) {
  return Object.fromEntries(Object.entries(order).filter(([name]) => listed.includes(name)));
}

/** Distinct order numbers in ascending order. */
export const orderNumber = (count: number) =>
  `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
