import { z } from 'zod';
import type { ExternalHistory } from '../../auditor/src/check-cache.ts';
import type { Query } from '../../auditor/src/database.ts';
import { checkGrants, checkMissingGrants, soldIn } from '../../auditor/src/outside/grants.ts';
import {
  checkMissingRevocations,
  checkRevocations,
  revocationsOf,
} from '../../auditor/src/outside/revocations.ts';
import type { IdRange } from '../../auditor/src/ranges.ts';
import type { Compared } from './compared.ts';
import { readRange } from './outside.ts';

const Grant = z.object({
  paymentId: z.string(),
  gameId: z.string(),
  serverId: z.string(),
  roleId: z.string(),
  gameAccountId: z.string(),
  sku: z.string(),
  quantity: z.int(),
  times: z.int(),
  at: z.iso.datetime(),
});

/** I6: the game granted the goods of each delivered order once, to its receiver. */
export async function compareGrants(
  query: Query,
  range: IdRange,
  { game, nowMs }: { game: string; nowMs: number },
): Promise<Compared> {
  const [sold, grants] = await Promise.all([
    soldIn(query, range),
    readRange(game, { kind: 'grants', record: Grant, range }),
  ]);
  const given = new Set(grants.map(({ paymentId }) => paymentId));
  const violations = [...checkGrants(grants, sold, nowMs), ...checkMissingGrants(sold, given)];
  return { checked: grants.length, violations };
}

const Revocation = z.object({ paymentId: z.string(), result: z.string(), at: z.iso.datetime() });

/** I6: the game revoked the goods of each order that we have as revoked. */
export async function compareRevocations(
  orders: readonly ExternalHistory[],
  range: IdRange,
  { game, nowMs }: { game: string; nowMs: number },
): Promise<Compared> {
  const theirs = await readRange(game, { kind: 'revocations', record: Revocation, range });
  const expected = revocationsOf(orders);
  const violations = [
    ...checkRevocations(theirs, { expected, orders, nowMs }),
    ...checkMissingRevocations(expected),
  ];
  return { checked: theirs.length, violations };
}
