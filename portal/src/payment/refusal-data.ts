import { Quote } from '@pointgate/contract/catalogue.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import * as z from 'zod/mini';
import { ApiError } from '../api/api-error.ts';

/** What would be charged and given now, if that is why an order was refused. */
export function newQuoteOf(error: unknown): Quote | null {
  return dataOf(error, 'PriceChanged', Quote);
}

const Limit = z.object({ resetAt: z.nullable(z.iso.datetime()) });

/** When counting starts anew, if an order was refused for a limit; `null` if it never does. */
export function limitResetOf(error: unknown): string | null {
  return dataOf(error, 'PurchaseLimitReached', Limit)?.resetAt ?? null;
}

function dataOf<T>(error: unknown, code: ErrorCode, schema: z.ZodMiniType<T>): T | null {
  if (!(error instanceof ApiError) || error.code !== code) return null;
  const data = z.safeParse(schema, error.data);
  return data.success ? data.data : null;
}
