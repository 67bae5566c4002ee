import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { publishBulletin } from './bulletins.ts';

export const action = operatorAction({
  name: 'publish',
  summary: 'Publishes drafts or withdrawn bulletins, all of them or none.',
  examples: ['publish winter-festival --by ines'],
  permission: 'news.publish',
  input: z.strictObject({ bulletinIds: z.array(z.string()).min(1).describe('bulletinId') }),
  positionals: ['bulletinIds'],
  effect: 'changes',
  run: async (tx, { bulletinIds }, { by, at }) => {
    for (const bulletinId of bulletinIds) {
      const isThere = await publishBulletin(tx, bulletinId, { by, at });
      if (!isThere) refuse(`there is no bulletin ${bulletinId}`);
    }
    return { published: bulletinIds };
  },
});
