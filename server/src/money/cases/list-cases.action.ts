import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { openCases } from './cases.ts';

export const action = operatorAction({
  name: 'cases',
  summary: 'Lists the open cases: what an operator has to decide.',
  examples: ['cases'],
  permission: 'cases.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await openCases(db),
});
