import { userInfo } from '@pointgate/contract/accounts.ts';
import { waitUntil } from '../tools/process/wait-until.ts';
import { call } from './call.ts';
import type { Gate } from './operation-gate.ts';
import { pause } from './pause.ts';
import { logProgress } from './progress.ts';
import type { Random } from './random.ts';
import type { Shop } from './shop.ts';

export type KillCounts = Record<'api' | 'worker' | 'database', number>;

/** The target of each kill, in random order. */
export function planKills(random: Random, counts: KillCounts): (keyof KillCounts)[] {
  const kinds = ['api', 'worker', 'database'] as const;
  return random.shuffle(kinds.flatMap((kind) => Array<keyof KillCounts>(counts[kind]).fill(kind)));
}

/** Scales the kills of the whole campaign to the given total and keeps the mix. */
export function scaleTo(total: number, counts: KillCounts): KillCounts {
  const share = total / (counts.api + counts.worker + counts.database);
  const api = Math.round(counts.api * share);
  const worker = Math.round(counts.worker * share);
  return { api, worker, database: total - api - worker };
}

/** Kills the planned programs one after the other, each when the shop is healthy and the gate opens. */
export async function runKills(
  shop: Shop,
  plan: readonly (keyof KillCounts)[],
  { gate, random, cookie }: { gate: Gate; random: Random; cookie: string },
): Promise<void> {
  for (const [index, kind] of plan.entries()) {
    await allAnswer(shop, cookie);
    await gate.pass();
    await pause(random.below(200));
    const name = await killAndStart(shop, kind, random);
    // The provider may reach any of the apis.
    await shop.stack.sendWebhooksTo(random.pick(shop.stack.apis), ['stripe']);
    if ((index + 1) % 10 === 0 || index + 1 === plan.length) {
      logProgress(
        `${index + 1} of ${plan.length} kills, ${gate.operations()} operations; last: ${name}`,
      );
    }
  }
  await allAnswer(shop, cookie);
}

async function killAndStart(shop: Shop, kind: keyof KillCounts, random: Random): Promise<string> {
  const { stack } = shop;
  const target =
    kind === 'database'
      ? { name: 'database', kill: stack.killDatabase, start: stack.startDatabase }
      : random.pick(stack.programs[kind]);
  await target.kill();
  await pause(random.below(400));
  await target.start();
  return target.name;
}

/** Waits until every api reads from the database again. Only the killed program was restarted. */
async function allAnswer({ stack }: Shop, cookie: string): Promise<void> {
  for (const api of stack.apis) {
    await waitUntil(
      async () => (await call({ api, endpoint: userInfo, body: {}, cookie })).kind === 'done',
      { timeoutMs: 60_000, what: `${api} does not come back` },
    );
  }
}
