import type { Site } from '../../publisher/sites/sites.ts';
import { type MoneyMethod, methodProviders } from '../psp/methods.ts';
import type { PaymentProvider } from '../psp/psp.ts';

// The contract, and so the provider account, through which a site is paid by each method.

/** The contracts of the publisher by name. */
export type KnownContracts = ReadonlyMap<string, Pick<PaymentProvider, 'provider' | 'openIdApp'>>;

/** The contract name that a site is configured with, whether or not such a contract exists. */
export function contractNamed({ contracts }: Pick<Site, 'contracts'>, method: MoneyMethod): string {
  return contracts[method] ?? methodProviders[method].provider;
}

/**
 * The contract through which a site takes a method. Undefined if the configured one does not exist
 * or belongs to another provider, because with any other contract the money would go to the wrong
 * account.
 */
export function contractAt(
  known: KnownContracts,
  site: Pick<Site, 'contracts'>,
  method: MoneyMethod,
): string | undefined {
  const name = contractNamed(site, method);
  return isContractFor(known, name, method) ? name : undefined;
}

/** The same, after reading again if the contract is not known yet. */
export async function knownContractAt(
  providers: (reading?: 'again') => Promise<KnownContracts>,
  site: Pick<Site, 'contracts'>,
  method: MoneyMethod,
): Promise<string | undefined> {
  const contract = contractAt(await providers(), site, method);
  return contract ?? contractAt(await providers('again'), site, method);
}

export function isContractFor(known: KnownContracts, name: string, method: MoneyMethod): boolean {
  return known.get(name)?.provider === methodProviders[method].provider;
}
