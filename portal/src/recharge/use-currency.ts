import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { useSyncExternalStore } from 'react';
import { useSiteConfig } from '../config/site-config.tsx';
import { keepText, readText } from '../session/kept.ts';

const storageKey = 'pointgate.currency';
const listeners = new Set<() => void>();

interface CurrencyChoice {
  /** What prices are shown in. */
  currency: CurrencyCode;
  /** The same as the calls ask for it: nothing where it is the site's first. */
  asked: CurrencyCode | null;
  currencies: readonly CurrencyCode[];
  choose: (currency: CurrencyCode) => void;
}

/** The currency that the player pays in, as chosen last; one of the site's. */
export function useCurrency(): CurrencyChoice {
  const { currency: first, currencies } = useSiteConfig();
  const kept = useSyncExternalStore(listen, () => readText('localStorage', storageKey));
  const currency = currencies.find((each) => each === kept) ?? first;
  return { currency, asked: currency === first ? null : currency, currencies, choose };
}

function choose(currency: CurrencyCode): void {
  keepText('localStorage', storageKey, currency);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
