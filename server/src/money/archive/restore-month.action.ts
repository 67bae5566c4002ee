import { z } from 'zod';
import { eraseInMonth } from '../../people/privacy/privacy.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { restoreMonth } from './archive.ts';

export const action = operatorAction({
  name: 'restore',
  summary: 'Puts the orders of an archived month back into the shop.',
  examples: ['restore 2025-01 --folder /archives/2025-01 --by ines'],
  permission: 'archives.move',
  input: z.strictObject({ month: z.string(), folder: z.string().min(1) }),
  positionals: ['month'],
  effect: 'works',
  run: async ({ db, openSession }, { month, folder }, { by }) => {
    const context = { db, open: openSession, now: Date.now };
    const done = await restoreMonth(context, { month, folder, by });
    if ('complaints' in done) return refuse(done.complaints.join('\n'));
    // Players may have been erased while their orders were in the archive.
    await eraseInMonth(db, month);
    return done;
  },
});
