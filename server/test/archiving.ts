import { archiveMonth, restoreMonth } from '../src/money/archive/archive.ts';
import { openSession } from '../src/platform/connections.ts';
import { log } from '../src/platform/log.ts';
import type { Scratch } from './scratch.ts';

/** Archives a month with a clock two years ahead. */
export async function archiveNow(scratch: Scratch, month: string, folder: string): Promise<void> {
  await done(archiveMonth(contextOf(scratch, month), { month, folder, by: 'ana' }));
}

export async function restoreNow(scratch: Scratch, month: string, folder: string): Promise<void> {
  await done(restoreMonth(contextOf(scratch, month), { month, folder, by: 'ana' }));
}

function contextOf({ db, url }: Scratch, month: string) {
  log.level = 'silent';
  const open = () => openSession({ url, applicationName: 'test' });
  return { db, open, now: () => Date.parse(`${month}-01T00:00:00Z`) + 2 * 366 * 86_400_000 };
}

async function done(work: ReturnType<typeof archiveMonth>): Promise<void> {
  const end = await work;
  if ('complaints' in end) throw new Error(end.complaints.join(', '));
}
