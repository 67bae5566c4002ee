import { z } from 'zod';

/** Alipay's id of a trade. */
export const TradeNo = z.string().regex(/^\d{16,64}$/);
