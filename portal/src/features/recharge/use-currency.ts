import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { useSyncExternalStore } from 'react';
import { keepText, readText } from '../../shared/browser/kept.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { type ChosenCurrency, currencyFor } from './currency-for.ts';

const storageKey = 'pointgate.currency';
const listeners = new Set<() => void>();

interface CurrencyChoice extends ChosenCurrency {
  /** The request parameter: `null` for the first currency of the site. */
  asked: CurrencyCode | null;
  choose: (currency: CurrencyCode) => void;
}

/** The currency of the payment: the last choice, if it can be paid in this environment. */
export function useCurrency(): CurrencyChoice {
  const config = useSiteConfig();
  const kept = useSyncExternalStore(listen, () => readText('localStorage', storageKey));
  const chosen = currencyFor(config, kept);
  const asked = chosen.currency === config.currency ? null : chosen.currency;
  return { ...chosen, asked, choose };
}

function choose(currency: CurrencyCode): void {
  keepText('localStorage', storageKey, currency);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
