import { z } from 'zod';
import { orderOfOperator } from '../money/orders/order-of-operator.ts';
import { operatorAction, refuse } from '../platform/operator-action.ts';
import { resumeDelivery } from './delivery.ts';

export const action = operatorAction({
  name: 'resend',
  summary: 'Delivers an order again whose delivery was given up.',
  examples: ['resend 01970000-0000-7000-8000-000000000000 --by ines'],
  permission: 'orders.resend',
  input: z.strictObject({ paymentId: z.string() }),
  positionals: ['paymentId'],
  effect: 'changes',
  run: async (tx, { paymentId }, { by, parts }) => {
    const key = await orderOfOperator(parts.db, paymentId);
    const isResumed = await resumeDelivery(tx, parts.effects, key, by);
    return isResumed ? { resent: paymentId } : refuse('nobody has stopped delivering this order');
  },
});
