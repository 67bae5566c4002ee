import type { Site } from '../../publisher/sites/sites.ts';
import { type MoneyMethod, methodProviders } from '../psp/methods.ts';
import type { PaymentProvider } from '../psp/psp.ts';

// Into which account a site is paid, method by method.

/** The contracts that the publisher has, by their names. */
export type KnownContracts = ReadonlyMap<string, Pick<PaymentProvider, 'provider' | 'openIdApp'>>;

/** What a site calls the contract that it takes a method through, whether there is such a one or not. */
export function contractNamed({ contracts }: Pick<Site, 'contracts'>, method: MoneyMethod): string {
  return contracts[method] ?? methodProviders[method].provider;
}

/**
 * The contract that a site takes a method through. Nothing where the one it names is not there, or is with
 * another provider: through any other, the money would go into the wrong account.
 */
export function contractAt(
  known: KnownContracts,
  site: Pick<Site, 'contracts'>,
  method: MoneyMethod,
): string | undefined {
  const name = contractNamed(site, method);
  return isContractFor(known, name, method) ? name : undefined;
}

export function isContractFor(known: KnownContracts, name: string, method: MoneyMethod): boolean {
  return known.get(name)?.provider === methodProviders[method].provider;
}
