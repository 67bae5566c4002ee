import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { listAudits } from './audits.ts';

export const action = operatorAction({
  name: 'audits',
  summary: 'Lists the results of the latest audits, newest first.',
  examples: ['audits'],
  permission: 'audits.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ db }) => await listAudits(db),
});
