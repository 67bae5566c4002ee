import { BulletinImport } from '@pointgate/contract/documents/news.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { importBulletin } from './bulletins.ts';

export const action = operatorAction({
  name: 'import-bulletins',
  summary: 'Imports a list of bulletins, all of them or none.',
  examples: ['import-bulletins --by ines < bulletins.json'],
  permission: 'news.publish',
  input: z.strictObject({ bulletins: z.array(BulletinImport).min(1).max(1_000) }),
  standardInput: 'bulletins',
  effect: 'changes',
  run: async (tx, { bulletins }, { by, at }) => {
    const removed: Record<string, unknown> = {};
    for (const bulletin of bulletins) {
      const done = await importBulletin(tx, bulletin, { by, at });
      if (done === 'unknown_site') refuse(`${bulletin.id}: there is no such site`);
      else removed[bulletin.id] = done.removed;
    }
    return { imported: bulletins.length, removed };
  },
});
