import type { TFunction } from 'i18next';
import type { Format } from '../i18n/format.ts';
import type { Pack } from './pack.ts';

export function totalOf({ quantity, gift }: Pack): bigint {
  return quantity + (gift?.quantity ?? 0n);
}

/** The gift as arithmetic the player can check: `+30 bonus`, or `First buy ×2` if it doubles. */
export function giftText(t: TFunction, format: Format, { quantity, gift }: Pack): string | null {
  if (gift === null) return null;
  const amount = format.number(gift.quantity);
  if (gift.reason === 'bonus') return t('recharge.bonus', { amount });
  if (gift.quantity === quantity) return t('recharge.firstDouble');
  return t('recharge.firstBonus', { amount });
}

/** The same written out: `300 + 300 first-buy bonus`. */
export function giftSum(t: TFunction, format: Format, { quantity, gift }: Pack): string | null {
  if (gift === null) return null;
  const sum = { base: format.number(quantity), gift: format.number(gift.quantity) };
  return gift.reason === 'bonus' ? t('recharge.sumBonus', sum) : t('recharge.sumFirst', sum);
}
