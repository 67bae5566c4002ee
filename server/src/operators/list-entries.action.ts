import { z } from 'zod';
import { operatorAction } from '../platform/operator-action.ts';
import { listEntries } from './entries.ts';

export const action = operatorAction({
  name: 'actions',
  summary: 'Lists what operators have done lately, newest first.',
  examples: ['actions'],
  permission: 'audits.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await listEntries(db),
});
