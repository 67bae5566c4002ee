import { operatorAction } from '../../platform/operator-action.ts';
import { accountChanges, reinstateAccount } from './account-states.ts';
import { ChangedAccount, changeAccount } from './change-account.ts';

export const action = operatorAction({
  name: 'reinstate',
  summary: 'Reinstates a suspended account.',
  examples: ['reinstate 01970000-0000-7000-8000-000000000000 --by ines --reason "was a mistake"'],
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
      change: reinstateAccount,
      otherwise: 'is not suspended',
    });
  },
  answer: async ({ db }, { accountId }) => ({ changes: await accountChanges(db, accountId) }),
});
