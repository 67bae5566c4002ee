import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { forgetPasskeys } from '../passkeys/passkeys.ts';
import { tellOwner } from './notices.ts';

export const action = operatorAction({
  name: 'forget-passkeys',
  summary:
    'Removes the passkeys of a player who has lost all devices, and tells the owner by mail.',
  examples: ['forget-passkeys 01970000-0000-7000-8000-000000000000 --by ines'],
  permission: 'passkeys.forget',
  input: z.strictObject({ accountId: z.string() }),
  positionals: ['accountId'],
  needsStepUp: true,
  effect: 'changes',
  run: async (tx, { accountId }, { by, parts: { notices } }) => {
    const context: Parameters<typeof forgetPasskeys>[1] = {
      tellOwner: (inside, change) => tellOwner(inside, notices, change),
    };
    const forgotten = isId(accountId) ? await forgetPasskeys(tx, context, { accountId, by }) : 0;
    return forgotten > 0 ? { forgotten } : refuse('this account has no passkey');
  },
});
