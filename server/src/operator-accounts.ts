import {
  accountChanges,
  reinstateAccount,
  signOutEverywhere,
  suspendAccount,
} from './accounts/account-states.ts';
import type { Shop } from './app.ts';
import { type Call, refuse } from './operator-call.ts';
import { isAccount } from './people/people.ts';
import { isId } from './platform/ids.ts';

type Change = typeof suspendAccount;

/** What operators do to an account as a whole. */
export const accountCommands = {
  account: async ({ db }: Shop, { first }: Call) => {
    if (!isId(first) || !(await isAccount(db, first))) refuse(`there is no account ${first}`);
    return { changes: await accountChanges(db, first) };
  },
  suspend: changing(suspendAccount, 'is suspended or erased already'),
  reinstate: changing(reinstateAccount, 'is not suspended'),
  'sign-out': changing(signOutEverywhere, 'is open to nobody'),
};

function changing(change: Change, otherwise: string) {
  return async ({ db }: Shop, { first, need }: Call) => {
    const asked = { accountId: first, by: need('by'), reason: need('reason') };
    const isDone = isId(first) && (await change(db, asked));
    if (isDone) return { changes: await accountChanges(db, first) };
    const isThere = isId(first) && (await isAccount(db, first));
    return refuse(isThere ? `the account ${otherwise}` : `there is no account ${first}`);
  };
}
