import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { accountChanges, isAccountKnown } from './account-states.ts';

export const action = operatorAction({
  name: 'account',
  summary: 'Lists what was done to an account, by whom and why.',
  examples: ['account 01970000-0000-7000-8000-000000000000'],
  permission: 'accounts.read',
  input: z.strictObject({ accountId: z.string() }),
  positionals: ['accountId'],
  effect: 'reads',
  run: async ({ db }, { accountId }) => {
    const isKnown =
      isId(accountId) && (await db.transaction((tx) => isAccountKnown(tx, accountId)));
    if (!isKnown) refuse(`there is no account ${accountId}`);
    return { changes: await accountChanges(db, accountId) };
  },
});
