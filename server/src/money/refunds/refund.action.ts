import { RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { isId, newId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { orderOfOperator } from '../orders/order-of-operator.ts';
import { requestRefund } from '../orders/orders.ts';

const reasons = Object.values(RefundReason.def.entries).join(', ');

export const action = operatorAction({
  name: 'refund',
  summary: 'Refunds an order: all that is left, or an amount.',
  details: `The same refund id twice is one refund, so a part needs one.
--capture refunds money that does not fit its order.
Reasons: ${reasons}.`,
  examples: [
    'refund 01970000-0000-7000-8000-000000000000 --reason goodwill --by ines',
    'refund 01970000-0000-7000-8000-000000000000 --reason goodwill --by ines --amount 50 --refund-id 01970000-0000-7000-8000-000000000001',
  ],
  permission: 'orders.refund',
  input: z.strictObject({
    paymentId: z.string(),
    reason: z.enum(RefundReason.def.entries, {
      error: ({ input }) =>
        input === undefined ? undefined : `is no reason; these are: ${reasons}`,
    }),
    amount: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, 'is no amount: it is in smallest units, 50 for 0.50 USD')
      .transform(BigInt)
      .optional()
      .describe('smallest units'),
    refundId: z
      .string()
      .refine(isId, { error: () => `is no id, such as ${newId()}` })
      .optional()
      .describe('uuid'),
    capture: z.string().optional().describe('captureId'),
  }),
  positionals: ['paymentId'],
  needsStepUp: true,
  effect: 'changes',
  run: async (tx, { paymentId, reason, amount, refundId, capture }, { by, parts }) => {
    // A refund of the rest cannot happen twice, but a repeated partial refund would.
    if (amount !== undefined && refundId === undefined) {
      refuse(`a part needs an id, so that asking twice is one refund: --refund-id ${newId()}`);
    }
    const asked = {
      refundId: refundId ?? newId(),
      amountMinor: amount ?? null,
      captureId: capture ?? null,
      reason,
      by,
    };
    const key = await orderOfOperator(parts.db, paymentId);
    const order = await requestRefund(tx, parts.effects, key, asked);
    return { refundId: asked.refundId, state: order.state };
  },
});
