import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { eraseAccount } from './privacy.ts';

export const action = operatorAction({
  name: 'erase-account',
  summary:
    'Erases the person behind an account; what was bought stays in the books without a name.',
  examples: [
    'erase-account 01970000-0000-7000-8000-000000000000 --by ines --reason "asked by mail"',
  ],
  permission: 'accounts.erase',
  input: z.strictObject({ accountId: z.string() }),
  positionals: ['accountId'],
  needsReason: true,
  needsSecondPerson: true,
  needsStepUp: true,
  effect: 'works',
  run: async ({ db }, { accountId }, { by, reason }) => {
    const done = isId(accountId)
      ? await eraseAccount(db, { accountId, by, reason })
      : ('not_there' as const);
    if (done === 'unfinished') refuse('an order of the account is not over: refund it, or wait');
    if (done === 'not_there') refuse(`there is no account ${accountId} that is not erased`);
    return { erased: accountId };
  },
});
