import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkOutRelease, previousRelease } from '../tools/releases/previous-release.ts';
import { openAcknowledgements } from './acknowledgements.ts';
import { expectConsistent } from './expect-consistent.ts';
import { openGate } from './operation-gate.ts';
import { givenPlayers } from './players.ts';
import { logProgress } from './progress.ts';
import { randomOfThisRun } from './random.ts';
import { startRefunding } from './refunding.ts';
import { openShop, type Shop } from './shop.ts';
import { startShopping } from './shopping.ts';
import { untilIdle } from './until-idle.ts';

const root = join(import.meta.dirname, '..');
// The number of completed money operations between two steps of the upgrade.
const operationsMin = Number(process.env.DRILL_OPERATIONS || 100);

test('no money is lost or duplicated while a shop with purchases is upgraded, half rolled back and upgraded again, program by program', async () => {
  const random = randomOfThisRun();
  const commit = previousRelease(root);
  const previous = checkOutRelease(root, commit);
  onTestFinished(previous.remove);
  logProgress(`the release before this one is ${commit}`);
  const shop = await openShop({
    apis: 2,
    workers: 2,
    serverRoot: previous.folder,
    serverEnv: { PAYMENT_CHECK_SECONDS: '3,5,10' },
  });
  onTestFinished(shop.close);
  await shop.provider.tell('/__sandbox/webhooks', { retryBaseMs: 250 });
  const acknowledgements = openAcknowledgements();
  const players = await givenPlayers(shop, 6, random);
  const gate = openGate({ operationsMin, patienceMs: 5 * 60_000 });
  const context = { provider: shop.provider, acknowledgements };
  const shopping = startShopping(context, players, gate.count);

  const replace = async (index: number, from: string) => {
    const { api, worker } = shop.stack.programs;
    for (const program of [api[index], worker[index]]) {
      await program?.stop();
      await program?.start(from);
    }
  };
  let hasNewSchema = false;
  const steps: readonly [what: string, change: () => Promise<void>][] = [
    [
      'the schema is changed',
      async () => {
        await shop.stack.migrate();
        hasNewSchema = true;
      },
    ],
    ['half of the programs are replaced', () => replace(0, root)],
    ['all of them are', () => replace(1, root)],
    ['half of them go back', () => replace(0, previous.folder)],
    ['and come again', () => replace(0, root)],
  ];
  const upgrade = async () => {
    for (const [what, change] of steps) {
      await gate.pass();
      logProgress(what);
      await change();
    }
    await gate.pass();
  };
  const upgrading = upgrade();
  upgrading.catch(() => {}); // Awaited below, unless something else fails first.
  const refunding = startRefunding(shop, context, {
    // The operator program is that of this release, which needs the schema of this release.
    takePaid: () => (hasNewSchema ? shopping.takePaid() : undefined),
    random: random.fork('operator'),
    onRefunded: gate.count,
  });
  await shop.during(Promise.race([upgrading, shopping.failure, refunding.failure]));
  await shop.during(Promise.all([shopping.stop(), refunding.stop()]));
  await shop.during(untilIdle(shop));

  logProgress(
    `${gate.operations()} money operations; ${JSON.stringify(acknowledgements.counts())}`,
  );
  await expectConsistent(shop, { acknowledgements, unpaid: shopping.unpaid() });
  expect(statementsThatDoNotFit(shop)).toEqual([]);
});

/**
 * Log lines about a table, column or function that PostgreSQL does not know, or about a value that
 * does not fit. They would go unnoticed, because a failed job is retried, possibly by the other
 * release.
 */
function statementsThatDoNotFit(shop: Shop): string[] {
  const logs = join(shop.stack.home, 'logs');
  return readdirSync(logs)
    .filter((name) => /^(api|worker)/.test(name))
    .flatMap((name) => readFileSync(join(logs, name), 'utf8').split('\n'))
    .filter((line) => /"code":"(0A|22|23|42)[0-9A-Z]{3}"/.test(line));
}
