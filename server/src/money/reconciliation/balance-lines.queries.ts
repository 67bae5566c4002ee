import { z } from 'zod';
import { sql, type Tx } from '../../platform/db.ts';
import { isUnknown, LineRow, lineColumns } from './reconciliation.queries.ts';

const BalanceLine = LineRow.extend({ day: z.string(), at: z.date() });
export type BalanceLine = z.output<typeof BalanceLine>;

/** Lines of a range of days and, optionally, of a range of ids. */
export interface LinesOfDays {
  psp: string;
  fromDay: string;
  untilDay: string;
  after?: string;
  last?: string;
}

/**
 * Lines that change the provider's balance and are not posted yet. Fees of a payment are included
 * only if the payment is the shop's.
 */
export function selectUnpostedLines(
  tx: Tx,
  { psp, fromDay, untilDay, after = '', last }: LinesOfDays,
  { kinds, rowsMax }: { kinds: readonly string[]; rowsMax: number },
): Promise<BalanceLine[]> {
  return tx.many(
    BalanceLine,
    sql`
      select ${lineColumns}, lines.day::text, lines.at from settlement_lines as lines
      where lines.psp = ${psp} and lines.day between ${fromDay} and ${untilDay}
        and lines.line_id > ${after} and (${last ?? null}::text is null or lines.line_id <= ${last ?? null})
        and lines.kind = any(${[...kinds]}::text[]) and lines.amount_minor <> 0
        and not (${isUnknown})
        and not exists (
          select from house_transfers as posted
          where posted.psp = lines.psp and posted.line_id = lines.line_id)
      order by lines.day, lines.line_id limit ${rowsMax}`,
  );
}
