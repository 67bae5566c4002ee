import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { stopCodes } from './redeem.ts';

export const action = operatorAction({
  name: 'stop-codes',
  summary: 'Stops a batch of redeem codes: they count as expired from now on.',
  examples: ['stop-codes launch-party --by ines'],
  permission: 'codes.make',
  input: z.strictObject({ batch: z.string() }),
  positionals: ['batch'],
  effect: 'changes',
  run: async (tx, { batch }, { by }) => {
    const isThere = await stopCodes(tx, { name: batch, by });
    return isThere ? { stopped: batch } : refuse(`there is no batch ${batch}`);
  },
});
