import { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { RealNameImport, writePerson } from './real-names.ts';

export const action = operatorAction({
  name: 'import-person',
  summary: 'Imports the real-name data of the player of an account.',
  examples: ['import-person 01970000-0000-7000-8000-000000000000 --by ines < person.json'],
  permission: 'people.import',
  input: z.strictObject({ accountId: z.string(), person: RealNameImport }),
  positionals: ['accountId'],
  standardInput: 'person',
  hasPersonalInput: true,
  effect: 'changes',
  run: async (tx, { accountId, person }, { by, parts }) => {
    const imported = { accountId, data: person, by };
    const isKnown = isId(accountId) && (await writePerson(tx, parts.people, imported));
    return isKnown ? { imported: accountId } : refuse(`there is no account ${accountId}`);
  },
});
