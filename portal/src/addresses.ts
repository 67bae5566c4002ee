/** What the player tops up: a role in the game, or the E Point balance. */
export type Target = 'game' | 'epoint';

interface Choice {
  target: Target;
  itemId?: string;
}

/** The top-up page with this tab open and, if it is known, this pack chosen. */
export function rechargeAddress({ target, itemId }: Choice): string {
  const query = new URLSearchParams();
  if (target !== 'game') query.set('to', target);
  if (itemId !== undefined) query.set('item', itemId);
  const text = query.toString();
  return text === '' ? '/main/recharge' : `/main/recharge?${text}`;
}

export const accountAddress = '/main/account/user';

export function orderAddress(paymentId: string): string {
  return `/main/recharge/detail/${paymentId}`;
}

export function receiptAddress(paymentId: string): string {
  return `/main/recharge/receipt/${paymentId}`;
}
