import { z } from 'zod';
import { Day } from '../platform/day.ts';
import { operatorAction, refuse } from '../platform/operator-action.ts';
import { countFunnel } from './analytics.ts';

export const action = operatorAction({
  name: 'funnel',
  summary: 'Counts the way from arrival to fulfilled orders of a site on one day.',
  examples: ['funnel solmere 2026-11-14'],
  permission: 'analytics.read',
  input: z.strictObject({ siteId: z.string(), day: Day }),
  positionals: ['siteId', 'day'],
  effect: 'reads',
  run: async ({ analytics }, { siteId, day }) =>
    (await countFunnel(analytics, { siteId, day })) ?? refuse(`there is no site ${siteId}`),
});
