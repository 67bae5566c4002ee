import { PriceList } from '@pointgate/contract/documents/prices.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../platform/operator-action.ts';
import { sitesIn } from '../publisher/sites/sites.ts';
import { loadPriceList } from './price-list.ts';

export const action = operatorAction({
  name: 'load-prices',
  summary: 'Loads prices of items and packs, all of them or none.',
  examples: ['load-prices --by ines < prices.json'],
  permission: 'prices.publish',
  input: z.strictObject({ prices: PriceList }),
  standardInput: 'prices',
  needsSecondPerson: true,
  effect: 'changes',
  run: async (tx, { prices }) => {
    const complaints = await loadPriceList(tx, prices, await sitesIn(tx));
    return complaints.length === 0 ? { loaded: true } : refuse(complaints.join('\n'));
  },
});
