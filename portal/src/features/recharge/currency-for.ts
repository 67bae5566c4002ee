import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { canCharge } from '@pointgate/contract/payment-methods.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';

export interface ChosenCurrency {
  /** The currency of the prices. */
  currency: CurrencyCode;
  /** The currencies to choose from, in the order of the site. */
  currencies: readonly CurrencyCode[];
  /** The currency chosen before, if it cannot be paid here. */
  notHere: CurrencyCode | null;
}

type Site = Pick<SiteConfig, 'currency' | 'currencies' | 'methods' | 'methodsOut'>;

/**
 * The choice of the player, else the first currency of the site, else the first that a method in
 * this environment can charge: inside WeChat, for example, the yuan. Methods with an outage count
 * as available, so that an outage does not change the currency.
 */
export function currencyFor(site: Site, kept: string | null): ChosenCurrency {
  const methods = [...site.methods, ...site.methodsOut];
  const payable = site.currencies.filter((currency) =>
    methods.some((method) => canCharge(method, currency)),
  );
  // Without any method for money, all currencies are offered.
  const currencies = payable.length > 0 ? payable : site.currencies;
  const wanted = site.currencies.find((each) => each === kept) ?? null;
  const currency =
    [wanted, site.currency].find((each) => each !== null && currencies.includes(each)) ??
    currencies[0] ??
    site.currency;
  return { currency, currencies, notHere: wanted === currency ? null : wanted };
}
