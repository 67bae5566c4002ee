import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReplica, untilFollowed } from '../tools/services/replica.ts';
import { operate } from './operate.ts';
import { logProgress } from './progress.ts';
import type { Shop } from './shop.ts';

/** Fails unless `operate audit` passes on the shop's database and on a physical replica of it. */
export async function expectAuditsPass(shop: Shop): Promise<void> {
  const { databaseUrl } = shop.stack;
  logProgress(`audit of the database: ${lastLine(await operate(shop, ['audit']))}`);
  const folder = await mkdtemp(join(tmpdir(), 'replica-'));
  const replica = await startReplica(databaseUrl, folder);
  try {
    await untilFollowed(databaseUrl, replica);
    const report = await operate(shop, ['audit', '--database', replica.url]);
    logProgress(`audit of a replica: ${lastLine(report)}`);
  } finally {
    await replica.stop();
    await rm(folder, { recursive: true });
  }
}

function lastLine(report: string): string {
  return report.trimEnd().split('\n').at(-1) ?? '';
}
