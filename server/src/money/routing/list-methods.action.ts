import { z } from 'zod';
import { operatorAction } from '../../platform/operator-action.ts';
import { listMethods } from './routing.ts';

export const action = operatorAction({
  name: 'methods',
  summary:
    'Lists the payment methods of each site, which are off, and which providers fail since when.',
  examples: ['methods'],
  permission: 'methods.read',
  input: z.strictObject({}),
  effect: 'reads',
  run: async ({ routing, sites }) => await listMethods(routing, await sites.all()),
});
