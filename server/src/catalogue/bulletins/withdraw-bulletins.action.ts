import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { withdrawBulletin } from './bulletins.ts';

export const action = operatorAction({
  name: 'withdraw',
  summary: 'Withdraws published bulletins, all of them or none.',
  examples: ['withdraw winter-festival --by ines'],
  permission: 'news.publish',
  input: z.strictObject({ bulletinIds: z.array(z.string()).min(1).describe('bulletinId') }),
  positionals: ['bulletinIds'],
  effect: 'changes',
  run: async (tx, { bulletinIds }, { by, at }) => {
    for (const bulletinId of bulletinIds) {
      const isThere = await withdrawBulletin(tx, bulletinId, { by, at });
      if (!isThere) refuse(`there is no bulletin ${bulletinId}`);
    }
    return { withdrawn: bulletinIds };
  },
});
