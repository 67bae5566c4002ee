import { PageImport } from '@pointgate/contract/documents/news.ts';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { importPage } from './bulletins.ts';

export const action = operatorAction({
  name: 'import-page',
  summary: 'Imports another text of a page, such as the terms of use.',
  examples: ['import-page --by ines < terms.json'],
  permission: 'news.publish',
  input: z.strictObject({ page: PageImport }),
  standardInput: 'page',
  effect: 'changes',
  run: async (tx, { page }, { by, at }) => {
    const done = await importPage(tx, page, { by, at });
    if (done === 'in_the_past') return refuse('what was shown in the past stays as it was');
    return done === 'unknown_site' ? refuse('there is no such site') : done;
  },
});
