import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { resolveCase } from './cases.ts';

export const action = operatorAction({
  name: 'resolve',
  summary: 'Closes a case, with a note of what was done.',
  examples: ['resolve 01970000-0000-7000-8000-000000000000 --note "refunded by hand" --by ines'],
  permission: 'cases.work',
  input: z.strictObject({ caseId: z.string(), note: z.string().min(1) }),
  positionals: ['caseId'],
  effect: 'changes',
  run: async (tx, { caseId, note }, { by }) => {
    const isFirst = isId(caseId) && (await resolveCase(tx, { id: caseId, by, resolution: note }));
    return isFirst ? { resolved: caseId } : refuse('there is no such open case');
  },
});
