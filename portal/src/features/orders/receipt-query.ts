import { orderReceipt } from '@pointgate/contract/orders.ts';
import { queryOptions } from '@tanstack/react-query';
import { requireOrderNumber } from '../../entities/payment/order-queries.ts';
import { call } from '../../shared/api/client.ts';

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
