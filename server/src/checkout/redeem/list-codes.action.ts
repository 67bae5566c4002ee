import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { listCodes } from './redeem.ts';

export const action = operatorAction({
  name: 'list-codes',
  summary: 'Lists batches of redeem codes, and how often each was used.',
  examples: ['list-codes'],
  permission: 'codes.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await listCodes(db),
});
