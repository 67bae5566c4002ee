import type { OutsideAudit } from '../audit-database.ts';
import type { ExternalHistory } from '../check-cache.ts';
import { type IdRange, isWithin } from '../ranges.ts';
import { slicesOf } from '../slices.ts';
import { type AskedGame, listRecharges } from './game-list.ts';
import { checkGrants, checkMissingGrants, soldIn } from './grants.ts';
import { checkMissingRevocations, checkRevocations, revocationsOf } from './revocations.ts';

/**
 * I6: compares the grants that a game lists with the orders. The memory needed is that of the
 * orders of a slice: the list is read page by page, in the order of the same ids.
 */
export async function compareGame(
  { query, findings }: OutsideAudit,
  { range, orders, nowMs }: { range: IdRange; orders: readonly ExternalHistory[]; nowMs: number },
  game: AskedGame,
): Promise<void> {
  const add = (texts: readonly string[]) => findings.add(texts.map((text) => ({ id: 'I6', text })));
  for (const slice of await slicesOf(query, range)) {
    // Our orders are read before the game's list: orders delivered by then were granted by then.
    const all = await soldIn(query, slice);
    const sold = new Map([...all].filter(([, { gameId }]) => gameId === game.gameId));
    const own = orders.filter(({ paymentId }) => isWithin(paymentId, slice) && sold.has(paymentId));
    const expected = revocationsOf(own);
    // A game lists revocations, but not that it had nothing to revoke.
    for (const [paymentId, result] of expected) {
      if (result === 'not_found') expected.delete(paymentId);
    }
    const given = new Set<string>();
    for await (const { grants, revocations } of listRecharges(game, slice)) {
      for (const { paymentId } of grants) if (sold.has(paymentId)) given.add(paymentId);
      findings.count('I6', grants.length + revocations.length);
      add(checkGrants(grants, sold, nowMs));
      add(checkRevocations(revocations, { expected, orders: own, nowMs }));
    }
    add(checkMissingGrants(sold, given));
    add(checkMissingRevocations(expected));
  }
}
