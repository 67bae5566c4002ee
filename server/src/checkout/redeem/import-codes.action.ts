import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { batchContext } from './batch-context.ts';
import { BatchTerms } from './batch-rules.ts';
import { importCodes } from './redeem.ts';

export const action = operatorAction({
  name: 'import-codes',
  summary: 'Imports a batch of codes made elsewhere, one on each line, all of them or none.',
  examples: ['import-codes --file codes.txt --by ines < terms.json'],
  permission: 'codes.make',
  input: z.strictObject({ terms: BatchTerms, file: z.string() }),
  standardInput: 'terms',
  needsSecondPerson: true,
  effect: 'works',
  run: async (parts, { terms, file }, { by }) => {
    const codes = await readFile(file, 'utf8').catch(() => refuse(`${file} cannot be read`));
    const made = await importCodes(batchContext(parts), { terms, by }, codes);
    return 'complaints' in made ? refuse(made.complaints.join('\n')) : made;
  },
});
