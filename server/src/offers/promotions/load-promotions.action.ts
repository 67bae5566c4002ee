import { PromotionList } from '@pointgate/contract/documents/promotions.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { sitesIn } from '../../publisher/sites/sites.ts';
import { loadPromotions } from './promotion-list.ts';

export const action = operatorAction({
  name: 'load-promotions',
  summary: 'Loads gift rules and rebate campaigns, all of them or none.',
  examples: ['load-promotions --by ines < promotions.json'],
  permission: 'promotions.publish',
  input: z.strictObject({ promotions: PromotionList }),
  standardInput: 'promotions',
  needsSecondPerson: true,
  effect: 'changes',
  run: async (tx, { promotions }) => {
    const complaints = await loadPromotions(tx, promotions, await sitesIn(tx));
    return complaints.length === 0 ? { loaded: true } : refuse(complaints.join('\n'));
  },
});
