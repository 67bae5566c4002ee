import { type CurrencyCode, currencyDecimals, type Money } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { adyenCapabilities } from './adyen.ts';
import { alipayCapabilities } from './alipay.ts';
import { paypalCapabilities } from './paypal.ts';
import type { Capabilities, ProviderName } from './psp.ts';
import { stripeCapabilities } from './stripe.ts';
import { wechatpayCapabilities } from './wechatpay.ts';

/** Every payment method that a provider handles; points are handled by the shop itself. */
export type MoneyMethod = Exclude<PaymentMethod, 'epoint'>;

interface MethodProvider {
  provider: ProviderName;
  /** Known without credentials. */
  capabilities: Capabilities;
}

/** The provider of each payment method. */
export const methodProviders = {
  card: { provider: 'stripe', capabilities: stripeCapabilities },
  paypal: { provider: 'paypal', capabilities: paypalCapabilities },
  wechatpay: { provider: 'wechatpay', capabilities: wechatpayCapabilities },
  alipay: { provider: 'alipay', capabilities: alipayCapabilities },
  adyen: { provider: 'adyen', capabilities: adyenCapabilities },
} satisfies Record<MoneyMethod, MethodProvider>;

/** Why a method can never take an amount. */
export type ChargeRefusal = 'currency' | 'decimals' | 'below_minimum' | 'above_maximum';

/** `null` if the provider takes this amount. */
export function chargeRefusal(
  { amountMinor, currency }: Money,
  { currencies }: Pick<Capabilities, 'currencies'>,
): ChargeRefusal | null {
  const rule = currencies[currency];
  if (rule === undefined) return 'currency';
  if (amountMinor % leastStep(currency, rule.decimals) !== 0n) return 'decimals';
  if (rule.minMinor !== undefined && amountMinor < rule.minMinor) return 'below_minimum';
  if (rule.maxMinor !== undefined && amountMinor > rule.maxMinor) return 'above_maximum';
  return null;
}

/** The provider's smallest step, in the shop's minor units. */
function leastStep(currency: CurrencyCode, decimals: number): bigint {
  return 10n ** BigInt(Math.max(0, currencyDecimals[currency] - decimals));
}
