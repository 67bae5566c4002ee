import { z } from 'zod';

/** WeChat's id of a payment. */
export const TransactionId = z.string().regex(/^\d{1,32}$/);
