import { operatorAction } from '../../platform/operator-action.ts';
import { accountChanges, suspendAccount } from './account-states.ts';
import { ChangedAccount, changeAccount } from './change-account.ts';

export const action = operatorAction({
  name: 'suspend',
  summary:
    'Suspends an account: its sessions end and nobody can sign in. Paid orders are delivered.',
  examples: ['suspend 01970000-0000-7000-8000-000000000000 --by ines --reason "stolen card"'],
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
      change: suspendAccount,
      otherwise: 'is suspended or erased already',
    });
  },
  answer: async ({ db }, { accountId }) => ({ changes: await accountChanges(db, accountId) }),
});
