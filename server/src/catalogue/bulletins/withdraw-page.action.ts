import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { withdrawPage } from './bulletins.ts';

export const action = operatorAction({
  name: 'withdraw-page',
  summary: 'Withdraws the current text of a page from a site.',
  examples: ['withdraw-page solmere terms --by ines'],
  permission: 'news.publish',
  input: z.strictObject({ siteId: z.string(), pageId: z.string() }),
  positionals: ['siteId', 'pageId'],
  effect: 'changes',
  run: async (tx, page, { by, at }) => ({ version: await withdrawPage(tx, page, { by, at }) }),
});
