import type { Tx } from '../../platform/db.ts';
import { houseKinds, isHouseKind, postHouseLines } from '../ledger/ledger.ts';
import { type LinesOfDays, selectUnpostedLines } from './balance-lines.queries.ts';

const linesPerWrite = 5_000;

/**
 * Posts the fees, payouts and other lines that change a provider's balance. Lines of unknown
 * payments are left out, and posted once the payment turns out to be the shop's.
 */
export async function postBalanceLines(tx: Tx, which: LinesOfDays): Promise<void> {
  for (;;) {
    const rowsMax = linesPerWrite;
    const lines = await selectUnpostedLines(tx, which, { kinds: houseKinds, rowsMax });
    await postHouseLines(
      tx,
      lines.map(({ day, line_id: lineId, kind, currency, amount_minor: amountMinor, at }) => {
        if (!isHouseKind(kind)) throw new Error(`line ${lineId} has the unknown kind ${kind}`);
        return { day, psp: which.psp, lineId, kind, currency, amountMinor, at };
      }),
    );
    if (lines.length < rowsMax) return;
  }
}
