import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { accountChanges, accountOrigin } from './account-states.ts';
import { gameAccountsOf } from './game-accounts.ts';

export const action = operatorAction({
  name: 'account',
  summary: 'Shows the state of an account, its game accounts, and what was done to it and why.',
  examples: ['account 01970000-0000-7000-8000-000000000000'],
  permission: 'accounts.read',
  input: z.strictObject({ accountId: z.string() }),
  positionals: ['accountId'],
  effect: 'reads',
  run: async ({ db }, { accountId }) => {
    const account = isId(accountId) ? await accountOrigin(db, accountId) : undefined;
    if (account === undefined) refuse(`there is no account ${accountId}`);
    return {
      ...account,
      ...(await gameAccountsOf(db, accountId)),
      changes: await accountChanges(db, accountId),
    };
  },
});
