import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';

export const action = operatorAction({
  name: 'secrets',
  summary: 'Lists the secrets of games and merchant accounts, without their values.',
  details: `Each with where the one in use comes from (environment or sealed), and every sealed version with who
set it and when. The environment wins.`,
  examples: ['secrets'],
  permission: 'secrets.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ secrets }) => ({
    secrets: await secrets.list(),
    unusable: await secrets.unusable(),
  }),
});
