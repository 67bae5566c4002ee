import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { resealSecrets, sealingOf } from './secret-changes.ts';

export const action = operatorAction({
  name: 'secrets-reseal',
  summary: 'Seals all secrets under the first key of MASTER_KEYS.',
  details: 'After it has ended the older key can leave the configuration.',
  examples: ['secrets-reseal --by ines'],
  permission: 'keys.rotate',
  input: z.strictObject({}),
  effect: 'changes',
  run: async (tx, _input, { parts: { secrets } }) => ({
    resealed: await resealSecrets(tx, sealingOf(secrets)),
  }),
});
