import { z } from 'zod';
import { log } from '../../platform/log.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { orderOfOperator } from '../orders/order-of-operator.ts';
import { recordOutsideRefund } from './reconciliation.ts';

export const action = operatorAction({
  name: 'record-refund',
  summary: "Records a refund that was made on the provider's own pages.",
  details: "It has to be proven by the provider's answer or its daily file.",
  examples: ['record-refund 01970000-0000-7000-8000-000000000000 --reference re_1 --by ines'],
  permission: 'orders.refund',
  input: z.strictObject({
    paymentId: z.string(),
    reference: z.string().min(1).describe("the provider's id"),
  }),
  positionals: ['paymentId'],
  effect: 'works',
  run: async ({ db, payments }, { paymentId, reference }, { by }) => {
    const key = await orderOfOperator(db, paymentId);
    const recorded = await recordOutsideRefund(payments, key, reference);
    if (recorded === undefined) {
      refuse(
        `neither the provider nor its daily files know of a refund ${reference} of this order`,
      );
    }
    log.info({ ...key, reference, by }, 'a refund that was made outside was recorded');
    return recorded;
  },
});
