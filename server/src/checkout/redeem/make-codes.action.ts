import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { batchContext } from './batch-context.ts';
import { NewBatch } from './batch-rules.ts';
import { makeCodes } from './redeem.ts';

export const action = operatorAction({
  name: 'make-codes',
  summary: 'Makes a batch of redeem codes by its terms and prints them.',
  details: 'The codes are printed once, and work only after the command has ended well.',
  examples: ['make-codes --by ines < terms.json > codes.csv'],
  permission: 'codes.make',
  input: z.strictObject({ batch: NewBatch }),
  standardInput: 'batch',
  needsSecondPerson: true,
  effect: 'works',
  run: async (parts, { batch }, { by, print }) => {
    const made = await makeCodes(batchContext(parts), { batch, by }, print);
    if ('complaints' in made) refuse(made.complaints.join('\n'));
  },
});
