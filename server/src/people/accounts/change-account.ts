import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { isId } from '../../platform/ids.ts';
import { type Performed, refuse } from '../../platform/operator-action.ts';
import { isAccountKnown, type suspendAccount } from './account-states.ts';

export const ChangedAccount = z.strictObject({ accountId: z.string() });

/** Changes the state of an account for an operator; refuses an unknown one, or one in another state. */
export async function changeAccount(
  tx: Tx,
  { accountId }: z.output<typeof ChangedAccount>,
  {
    by,
    reason,
    change,
    otherwise,
  }: Performed & { change: typeof suspendAccount; otherwise: string },
): Promise<void> {
  if (isId(accountId) && (await change(tx, { accountId, by, reason }))) return;
  const isKnown = isId(accountId) && (await isAccountKnown(tx, accountId));
  refuse(isKnown ? `the account ${otherwise}` : `there is no account ${accountId}`);
}
