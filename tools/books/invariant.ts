/** A claim about the shop's tables, and how to find what breaks it. */
export interface ShopInvariant {
  id: string;
  claim: string;
  /** Counts what is looked at, as `count`. */
  count: string;
  /** Queries with one text `violation` for each thing that is wrong. */
  violations: readonly string[];
}

/** Live work is under way while we look. What is still moving after this long is not under way. */
export const patience = `interval '2 minutes'`;

/**
 * What was captured for each order. Of a capture that the provider gave several amounts for, the
 * largest counts.
 */
export const captures = `
  select account_id, payment_id, fact ->> 'captureId' as capture_id,
         fact ->> 'attemptId' as attempt_id, fact ->> 'currency' as currency,
         max((fact ->> 'amountMinor')::bigint) as amount_minor
  from order_events where fact ->> 'type' = 'captured'
  group by account_id, payment_id, capture_id, attempt_id, fact ->> 'currency'`;
