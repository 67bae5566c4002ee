import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { canCharge } from '@pointgate/contract/payment-methods.ts';
import type { SiteConfig } from '@pointgate/contract/site-config.ts';

export interface ChosenCurrency {
  /** What prices are shown in. */
  currency: CurrencyCode;
  /** What can be chosen, in the order of the site. */
  currencies: readonly CurrencyCode[];
  /** What the player chose before, where it cannot be paid. */
  notHere: CurrencyCode | null;
}

type Site = Pick<SiteConfig, 'currency' | 'currencies' | 'methods' | 'methodsOut'>;

/**
 * The player's choice, else the site's first currency, else the first that some method can charge where
 * the player is: inside WeChat, for example, that is the yuan. What is out comes back, so nothing
 * changes its currency for an outage.
 */
export function currencyFor(site: Site, kept: string | null): ChosenCurrency {
  const methods = [...site.methods, ...site.methodsOut];
  const payable = site.currencies.filter((currency) =>
    methods.some((method) => canCharge(method, currency)),
  );
  // Where no money can be paid at all, one currency is as good as another.
  const currencies = payable.length > 0 ? payable : site.currencies;
  const wanted = site.currencies.find((each) => each === kept) ?? null;
  const currency =
    [wanted, site.currency].find((each) => each !== null && currencies.includes(each)) ??
    currencies[0] ??
    site.currency;
  return { currency, currencies, notHere: wanted === currency ? null : wanted };
}
