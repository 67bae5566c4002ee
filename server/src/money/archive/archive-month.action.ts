import { z } from 'zod';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { archiveMonth } from './archive.ts';

export const action = operatorAction({
  name: 'archive',
  summary: 'Writes all orders of a month to files and takes them out of the shop.',
  details: 'After an interruption the same command goes on where it was.',
  examples: ['archive 2025-01 --folder /archives/2025-01 --by ines'],
  permission: 'archives.move',
  input: z.strictObject({ month: z.string(), folder: z.string().min(1) }),
  positionals: ['month'],
  effect: 'works',
  run: async ({ db, openSession }, { month, folder }, { by }) => {
    const context = { db, open: openSession, now: Date.now };
    const done = await archiveMonth(context, { month, folder, by });
    return 'complaints' in done ? refuse(done.complaints.join('\n')) : done;
  },
});
