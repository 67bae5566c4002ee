import { orderReceipt } from '@pointgate/contract/orders.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { requireOrderNumber } from '../payment/order-queries.ts';

export const receiptQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['receipt', paymentId],
    queryFn: async () => {
      requireOrderNumber(paymentId);
      return await call(orderReceipt, { paymentId });
    },
    // A refund may have been added, and a printed receipt must be current.
    staleTime: 0,
  });
