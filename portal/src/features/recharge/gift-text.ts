import type { GiftReason } from '@pointgate/contract/promotions.ts';
import type { TFunction } from 'i18next';
import type { Format } from '../../shared/i18n/format.ts';
import type { Pack } from './pack.ts';

export function totalOf({ quantity, gift }: Pick<Pack, 'quantity' | 'gift'>): bigint {
  return quantity + (gift?.quantity ?? 0n);
}

const reasonTexts = {
  bonus: 'recharge.bonus',
  first_purchase: 'recharge.firstBonus',
  first_purchase_of_item: 'recharge.firstOfItemBonus',
  for_you: 'recharge.forYouBonus',
  limited_time: 'recharge.limitedBonus',
} as const satisfies Record<GiftReason, string>;

const sumTexts = {
  bonus: 'recharge.sumBonus',
  first_purchase: 'recharge.sumFirst',
  first_purchase_of_item: 'recharge.sumFirst',
  for_you: 'recharge.sumForYou',
  limited_time: 'recharge.sumLimited',
} as const satisfies Record<GiftReason, string>;

/** The gift as arithmetic the player can check: `+30 bonus`, or `First purchase: ×2` if it doubles. */
export function giftText(t: TFunction, format: Format, { quantity, gift }: Pack): string | null {
  if (gift === null) return null;
  const amount = format.number(gift.quantity);
  const isDouble = gift.quantity === quantity && isForFirst(gift.reason);
  return isDouble ? t('recharge.firstDouble') : t(reasonTexts[gift.reason], { amount });
}

/** The same written out: `300 + 300 first-purchase bonus`. */
export function giftSum(t: TFunction, format: Format, { quantity, gift }: Pack): string | null {
  if (gift === null) return null;
  const sum = { base: format.number(quantity), gift: format.number(gift.quantity) };
  return t(sumTexts[gift.reason], sum);
}

export function isForFirst(reason: GiftReason): boolean {
  return reason === 'first_purchase' || reason === 'first_purchase_of_item';
}
