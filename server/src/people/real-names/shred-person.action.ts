import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { shredPerson } from './real-names.ts';

export const action = operatorAction({
  name: 'shred-person',
  summary: 'Makes the real-name data of an account unreadable in every copy, for good.',
  examples: ['shred-person 01970000-0000-7000-8000-000000000000 --by ines'],
  permission: 'people.shred',
  input: z.strictObject({ accountId: z.string() }),
  positionals: ['accountId'],
  needsSecondPerson: true,
  needsStepUp: true,
  effect: 'changes',
  run: async (tx, { accountId }, { by }) => {
    const isFirst = isId(accountId) && (await shredPerson(tx, { accountId, by }));
    return isFirst ? { shredded: accountId } : refuse('nothing is known of this account');
  },
});
