import { z } from 'zod';
import { operatorAction } from '../platform/operator-action.ts';
import { exportEvents, firstPosition, isPosition } from './analytics.ts';

export const action = operatorAction({
  name: 'export-events',
  summary: 'Exports the events of browsers, one JSON object on each line.',
  details: 'The position of the last event is where the next export goes on: --after <position>.',
  examples: ['export-events --amount 1000'],
  permission: 'analytics.read',
  input: z.strictObject({
    after: z
      .string()
      .refine(isPosition, 'is no position')
      .default(firstPosition)
      .describe('position'),
    amount: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'is no number of events')
      .default('100000')
      .describe('how many'),
  }),
  effect: 'reads',
  run: async ({ db }, { after, amount }, { print }) => {
    for await (const event of exportEvents(db, { after, eventsMax: Number(amount) })) {
      await print(`${JSON.stringify(event)}\n`);
    }
  },
});
