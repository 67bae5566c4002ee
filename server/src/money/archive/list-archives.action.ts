import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { listArchives } from './archive.ts';

export const action = operatorAction({
  name: 'archives',
  summary: 'Lists the archived months, when and by whom they were archived, and where they are.',
  examples: ['archives'],
  permission: 'books.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await listArchives(db),
});
