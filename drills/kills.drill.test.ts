import { expect, onTestFinished, test, vi } from 'vitest';
import { openAcknowledgements } from './acknowledgements.ts';
import { expectAuditsPass } from './expect-audits-pass.ts';
import { expectConsistent } from './expect-consistent.ts';
import { startExternalActions } from './external-actions.ts';
import { hangPaypal } from './hanging-provider.ts';
import { planKills, runKills, scaleTo } from './kills.ts';
import { openGate } from './operation-gate.ts';
import { givenPlayers } from './players.ts';
import { logProgress } from './progress.ts';
import { providerBalanceDifferences } from './provider-balance.ts';
import { randomOfThisRun } from './random.ts';
import { startRefunding } from './refunding.ts';
import { openShop } from './shop.ts';
import { startShopping } from './shopping.ts';
import { untilIdle } from './until-idle.ts';

const wholeCampaign = { api: 60, worker: 60, database: 30 };
const killsWanted = Number(process.env.DRILL_KILLS || 150);
const operationsMin = 5;
// The whole campaign takes half an hour on an otherwise idle machine.
vi.setConfig({ testTimeout: 2 * 60 * 60_000 });

test('no money is lost, duplicated or forgotten when APIs, workers and the database are killed at random', async () => {
  const random = randomOfThisRun();
  const shop = await openShop({
    apis: 2,
    workers: 2,
    // A webhook lost with a killed api is sent again; a missing webhook is replaced by polling.
    serverEnv: { PAYMENT_CHECK_SECONDS: '3,5,10' },
  });
  onTestFinished(shop.close);
  await shop.provider.tell('/__sandbox/webhooks', { retryBaseMs: 250 });
  const acknowledgements = openAcknowledgements();
  const players = await givenPlayers(shop, 6, random);
  const gate = openGate({ operationsMin, patienceMs: 60_000 });
  const plan = planKills(random.fork('kills'), scaleTo(killsWanted, wholeCampaign));
  const [somebody] = players;
  if (somebody === undefined) throw new Error('There is no player.');
  const { cookie } = somebody;

  const begun = performance.now();
  const context = { provider: shop.provider, acknowledgements };
  const shopping = startShopping(context, players, gate.count);
  const { takePaid } = shopping;
  const refunding = startRefunding(shop, context, {
    takePaid,
    random: random.fork('operator'),
    onRefunded: gate.count,
  });
  const external = startExternalActions(shop.provider, random.fork('bank'));
  const paypal = await hangPaypal(shop, { context, player: somebody, ordersPaid: 3 });
  const killing = runKills(shop, plan, { gate, random: random.fork('moments'), cookie });
  killing.catch(() => {}); // Awaited below, unless something else fails first.
  const activities = [shopping, refunding, external, paypal];
  await shop.during(Promise.race([killing, ...activities.map(({ failure }) => failure)]));
  await shop.during(Promise.all(activities.map(({ stop }) => stop())));
  const seconds = (performance.now() - begun) / 1000;
  await shop.during(paypal.resume());
  await shop.during(untilIdle(shop));

  logProgress(
    `${gate.faults()} kills, ${gate.operations()} money operations in ${seconds.toFixed(0)} s, ` +
      `never fewer than ${gate.fewest()} between two kills; ` +
      `acknowledged: ${JSON.stringify(acknowledgements.counts())}; ` +
      `by banks and staff: ${JSON.stringify(external.counts())}`,
  );
  const unpaid = new Set([...shopping.unpaid(), ...paypal.unpaid()]);
  await expectConsistent(shop, { acknowledgements, unpaid });
  await expectAuditsPass(shop);
  expect(gate.faults()).toBe(killsWanted);
  expect(gate.fewest()).toBeGreaterThanOrEqual(operationsMin);
  expect(await shop.during(providerBalanceDifferences(shop, ['stripe', 'paypal']))).toEqual([]);
});
