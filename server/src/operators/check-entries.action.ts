import { z } from 'zod';
import { operatorAction, refuse } from '../platform/operator-action.ts';
import { checkEntries } from './entries.ts';

export const action = operatorAction({
  name: 'check-actions',
  summary: 'Checks that no entry of what operators have done was changed or removed.',
  details: `Keep the hash of the last entry somewhere else: it shows whether all entries were written anew.`,
  examples: ['check-actions'],
  permission: 'audits.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => {
    const { firstBroken, ...state } = await checkEntries(db);
    return firstBroken === null
      ? state
      : refuse(`entry ${firstBroken} was changed, or the one before it is missing`);
  },
});
