import { operatorAction } from '../../platform/operator-action.ts';
import { accountChanges, signOutEverywhere } from './account-states.ts';
import { ChangedAccount, changeAccount } from './change-account.ts';

export const action = operatorAction({
  name: 'sign-out',
  summary: 'Ends all sessions of an account on all sites. The player can sign in again.',
  examples: ['sign-out 01970000-0000-7000-8000-000000000000 --by ines --reason "lost phone"'],
  permission: 'accounts.block',
  input: ChangedAccount,
  positionals: ['accountId'],
  needsReason: true,
  effect: 'changes',
  run: async (tx, account, { by, reason, at }) => {
    await changeAccount(tx, account, {
      by,
      reason,
      at,
      change: signOutEverywhere,
      otherwise: 'is open to nobody',
    });
  },
  answer: async ({ db }, { accountId }) => ({ changes: await accountChanges(db, accountId) }),
});
