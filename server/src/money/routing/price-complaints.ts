import type { Money } from '@pointgate/contract/money.ts';
import type { Site } from '../../publisher/sites/sites.ts';
import { type ChargeRefusal, chargeRefusal, methodProviders } from '../psp/methods.ts';
import type { Capabilities } from '../psp/psp.ts';

const words: Record<ChargeRefusal, string> = {
  currency: 'does not take this currency',
  decimals: 'counts this currency in larger units',
  below_minimum: 'takes no less than its minimum',
  above_maximum: 'takes no more than its maximum',
};

const known: Readonly<Record<string, { capabilities: Pick<Capabilities, 'currencies'> }>> =
  methodProviders;

/**
 * The reasons why a site could not charge a price, by method. A method that does not support the
 * currency is not a complaint as long as another method supports it.
 */
export function priceComplaints(
  site: Pick<Site, 'siteId' | 'methods'>,
  price: Money,
  providers = known,
): string[] {
  const judged = site.methods.flatMap((method) => {
    const provider = providers[method];
    if (provider === undefined) return [];
    return [{ method, refusal: chargeRefusal(price, provider.capabilities) }];
  });
  if (judged.every(({ refusal }) => refusal === 'currency')) {
    const asked = judged.map(({ method }) => method).join(', ') || 'none';
    return [`no method of site ${site.siteId} takes this currency (${asked})`];
  }
  return judged.flatMap(({ method, refusal }) =>
    refusal === null || refusal === 'currency'
      ? []
      : [`${method} at site ${site.siteId} ${words[refusal]}`],
  );
}
