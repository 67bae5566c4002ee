import { z } from 'zod';
import { Day } from '../../platform/day.ts';
import { operatorAction, refuse } from '../../platform/operator-action.ts';
import { findArchiveOfDay } from '../archive/archive.ts';
import { queueReconciliation } from './reconciliation.ts';

export const action = operatorAction({
  name: 'reconcile',
  summary:
    "Compares a day of a provider's account with the ledger, again if it was compared before.",
  examples: ['reconcile stripe 2026-11-14 --by ines'],
  permission: 'settlement.compare',
  input: z.strictObject({
    account: z.string(),
    day: Day.refine((day) => day <= new Date().toISOString(), 'has not begun yet'),
  }),
  positionals: ['account', 'day'],
  effect: 'changes',
  run: async (tx, { account, day }, { parts: { db, payments } }) => {
    if (!(await payments.providers()).has(account)) refuse(`there is no contract ${account}`);
    // A settlement day whose lines are archived cannot be compared again.
    const archive = await findArchiveOfDay(db, day);
    if (archive !== undefined) refuse(`${archive.month} is archived in ${archive.folder}`);
    await queueReconciliation(tx, payments, { psp: account, day });
    return { queued: `${account} ${day}` };
  },
});
