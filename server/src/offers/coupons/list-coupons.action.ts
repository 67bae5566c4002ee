import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { couponTemplates } from './coupon-templates.ts';

export const action = operatorAction({
  name: 'list-coupons',
  summary: 'Lists coupon templates, and how many coupons of each were given.',
  examples: ['list-coupons'],
  permission: 'coupons.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await couponTemplates(db),
});
