import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { isAccount, maskedRealName, readRealName } from './real-names.ts';

export const action = operatorAction({
  name: 'show-person',
  summary: 'Shows the real-name data of the player of an account, masked.',
  examples: ['show-person 01970000-0000-7000-8000-000000000000 --by ines'],
  permission: 'people.read',
  input: z.strictObject({ accountId: z.string() }),
  positionals: ['accountId'],
  needsStepUp: true,
  effect: 'reveals',
  run: async ({ db, people }, { accountId }, { by }) => {
    if (!isId(accountId) || !(await isAccount(db, accountId))) {
      refuse(`there is no account ${accountId}`);
    }
    return maskedRealName(await readRealName(db, people, { accountId, by, requestId: null }));
  },
});
