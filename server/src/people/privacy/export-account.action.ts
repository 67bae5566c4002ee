import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { isAccount } from '../real-names/real-names.ts';
import { exportAccount } from './privacy.ts';

export const action = operatorAction({
  name: 'export-account',
  summary: 'Exports all data of an account, with real-name data in full, as one JSON object.',
  examples: ['export-account 01970000-0000-7000-8000-000000000000 --by ines'],
  permission: 'accounts.export',
  input: z.strictObject({ accountId: z.string() }),
  positionals: ['accountId'],
  needsStepUp: true,
  effect: 'reveals',
  run: async ({ db, people }, { accountId }, { by, print }) => {
    if (!isId(accountId) || !(await isAccount(db, accountId))) {
      refuse(`there is no account ${accountId}`);
    }
    const asked = { accountId, by, requestId: null, isMasked: false };
    for await (const part of exportAccount(db, people, asked)) await print(part);
  },
});
