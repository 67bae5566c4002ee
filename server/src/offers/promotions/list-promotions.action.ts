import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { listPromotions } from './promotion-list.ts';

export const action = operatorAction({
  name: 'list-promotions',
  summary: 'Lists gift rules and rebate campaigns, in the form of `load-promotions`.',
  examples: ['list-promotions'],
  permission: 'promotions.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await listPromotions(db),
});
