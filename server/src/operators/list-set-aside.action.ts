import { z } from 'zod';
import { operatorAction } from '../platform/operator-action.ts';
import { checkContent } from '../wiring/content-checks.ts';

export const action = operatorAction({
  name: 'quarantine',
  summary: 'Lists the rows that are set aside now, because they cannot be used, and why.',
  examples: ['quarantine'],
  permission: 'cases.read',
  input: z.strictObject({}),
  effect: 'reads',
  // From the rows themselves: a case lags a minute behind, and may be resolved.
  run: async (parts) =>
    (await checkContent(parts)).map(({ table, key, reason }) => ({ table, key, reason })),
});
