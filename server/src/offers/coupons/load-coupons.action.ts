import { CouponList } from '@pointgate/contract/documents/coupons.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { sitesIn } from '../../publisher/sites/sites.ts';
import { loadCoupons } from './coupon-templates.ts';

export const action = operatorAction({
  name: 'load-coupons',
  summary: 'Loads coupon templates, all of them or none.',
  examples: ['load-coupons --by ines < coupons.json'],
  permission: 'coupons.publish',
  input: z.strictObject({ coupons: CouponList }),
  standardInput: 'coupons',
  needsSecondPerson: true,
  effect: 'changes',
  run: async (tx, { coupons }, { by }) => {
    const sites = await sitesIn(tx);
    const { complaints, loaded } = await loadCoupons(tx, { list: coupons, sites, by });
    return complaints.length === 0 ? { loaded } : refuse(complaints.join('\n'));
  },
});
