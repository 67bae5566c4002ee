import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReplica, untilFollowed } from '../tools/services/replica.ts';
import { operate } from './operator.ts';
import { say } from './say.ts';
import type { Shop } from './shop.ts';

/** Fails unless `operate audit` passes on the shop's database and on a physical replica of it. */
export async function expectAuditsInOrder(shop: Shop): Promise<void> {
  const { databaseUrl } = shop.stack;
  say(`audit of the database: ${lastLine(await operate(shop, ['audit']))}`);
  const folder = await mkdtemp(join(tmpdir(), 'replica-'));
  const replica = await startReplica(databaseUrl, folder);
  try {
    await untilFollowed(databaseUrl, replica);
    const report = await operate(shop, ['audit', '--database', replica.url]);
    say(`audit of a replica: ${lastLine(report)}`);
  } finally {
    await replica.stop();
    await rm(folder, { recursive: true });
  }
}

function lastLine(report: string): string {
  return report.trimEnd().split('\n').at(-1) ?? '';
}
