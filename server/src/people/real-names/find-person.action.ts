import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { findPeople } from './real-names.ts';

export const action = operatorAction({
  name: 'find-person',
  summary: 'Finds accounts by `phone` or `identityNumber`.',
  examples: ['find-person --by ines < wanted.json'],
  permission: 'people.find',
  input: z.strictObject({
    wanted: z.strictObject({
      phone: z.string().nullable().default(null),
      identityNumber: z.string().nullable().default(null),
    }),
  }),
  standardInput: 'wanted',
  hasPersonalInput: true,
  needsStepUp: true,
  effect: 'reveals',
  run: async ({ db, people }, { wanted }, { by }) =>
    await findPeople(db, people, { ...wanted, by }),
});
