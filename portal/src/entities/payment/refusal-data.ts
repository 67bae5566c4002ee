import { Quote } from '@pointgate/contract/catalogue.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import * as z from 'zod/mini';
import { ApiError } from '../../shared/api/api-error.ts';

/** The new quote, if an order was refused because of a price change. */
export function newQuoteOf(error: unknown): Quote | null {
  return dataOf(error, 'PriceChanged', Quote);
}

const Limit = z.object({ resetAt: z.nullable(z.iso.datetime()) });

/** The reset time, if an order was refused because of a purchase limit; `null` without a reset. */
export function limitResetOf(error: unknown): string | null {
  return dataOf(error, 'PurchaseLimitReached', Limit)?.resetAt ?? null;
}

function dataOf<T>(error: unknown, code: ErrorCode, schema: z.ZodMiniType<T>): T | null {
  if (!(error instanceof ApiError) || error.code !== code) return null;
  const data = z.safeParse(schema, error.data);
  return data.success ? data.data : null;
}
