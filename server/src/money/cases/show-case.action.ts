import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { findCase } from './cases.ts';

export const action = operatorAction({
  name: 'case',
  summary: 'Shows all details of one case.',
  examples: ['case 01970000-0000-7000-8000-000000000000'],
  permission: 'cases.read',
  input: z.strictObject({ caseId: z.string() }),
  positionals: ['caseId'],
  effect: 'reads',
  run: async ({ db }, { caseId }) =>
    (isId(caseId) ? await findCase(db, caseId) : undefined) ?? refuse(`there is no case ${caseId}`),
});
