import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { handOutCoupons, Receivers } from './coupon-templates.ts';

export const action = operatorAction({
  name: 'issue-coupons',
  summary: 'Gives a coupon to each account of a list of account ids or login names.',
  details: 'The same key again gives nobody a second one.',
  examples: ['issue-coupons spring-10 --key spring-2026 --by ines < receivers.json'],
  permission: 'coupons.hand_out',
  input: z.strictObject({ templateId: z.string(), key: z.string(), receivers: Receivers }),
  positionals: ['templateId'],
  standardInput: 'receivers',
  hasPersonalInput: true,
  needsSecondPerson: true,
  effect: 'works',
  run: async ({ db }, handout, { by }) => {
    const done = await handOutCoupons(db, { ...handout, by });
    return done.result === 'done' ? done : refuse(done.why);
  },
});
