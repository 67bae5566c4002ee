import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { rotateAddressKeys } from '../accounts/addresses.ts';
import { rotatePersonKeys } from '../real-names/real-names.ts';

export const action = operatorAction({
  name: 'rotate-person-keys',
  summary: 'Wraps the keys of all personal data with the newest key.',
  details: 'After it has ended the older key can leave the configuration.',
  examples: ['rotate-person-keys --by ines'],
  permission: 'keys.rotate',
  input: z.strictObject({}),
  effect: 'works',
  run: async ({ db, people }) => ({
    rewrapped: (await rotatePersonKeys(db, people)) + (await rotateAddressKeys(db, people)),
  }),
});
