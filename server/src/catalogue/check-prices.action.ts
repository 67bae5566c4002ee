import { z } from 'zod';
import { operatorAction, refuse } from '../platform/operator-action.ts';
import { soldPriceComplaints } from './price-list.ts';

export const action = operatorAction({
  name: 'check-prices',
  summary: 'Lists the prices for sale that no payment method could charge.',
  examples: ['check-prices'],
  permission: 'prices.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db, sites }) => {
    const complaints = await soldPriceComplaints(db, await sites.all());
    return complaints.length === 0 ? { complaints } : refuse(complaints.join('\n'));
  },
});
