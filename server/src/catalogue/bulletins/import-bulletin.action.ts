import { BulletinImport } from '@pointgate/contract/documents/news.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { importBulletin } from './bulletins.ts';

export const action = operatorAction({
  name: 'import-bulletin',
  summary: 'Imports the draft of a bulletin, or a change of one.',
  examples: ['import-bulletin --by ines < bulletin.json'],
  permission: 'news.publish',
  input: z.strictObject({ bulletin: BulletinImport }),
  standardInput: 'bulletin',
  effect: 'changes',
  run: async (tx, { bulletin }, { by, at }) => {
    const done = await importBulletin(tx, bulletin, { by, at });
    return done === 'unknown_site' ? refuse('there is no such site') : done;
  },
});
