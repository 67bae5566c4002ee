import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../../../test/effort.ts';
import {
  asked,
  captured,
  closed,
  declined,
  delivered,
  deliveryFailed,
  disputed,
  due,
  elsewhere,
  expired,
  first,
  opened,
  resumed,
  revoked,
  second,
  settled,
  stranger,
  stuck,
} from '../../../test/facts.ts';
import { modelOf } from '../../../test/order-model.ts';
import { disputeStages, type Fact, refundOutcomes } from './order-fact.ts';
import { orderStates, type Projection, project } from './order-state.ts';

const refunds = [
  asked(1),
  asked(2, { amountMinor: 200n }),
  asked(3, { amountMinor: 299n, reason: 'goodwill' }),
  asked(4, { reason: 'duplicate', captureId: 'pi_2' }),
  asked(5, { reason: 'duplicate' }),
  asked(6, { reason: 'misfit', captureId: 'pi_f' }),
  asked(7, { reason: 'misfit', amountMinor: 401n }),
  asked(8, { currency: 'EUR', reason: 'fraud' }),
  asked(9, { captureId: 'pi_unheard' }),
  asked(10, { captureId: 'pi_2', amountMinor: 498n }),
  asked(11, { reason: 'over_limit' }),
];

/** The facts to draw from, including contradictory ones. Common facts are listed twice. */
const possibleFacts: readonly Fact[] = [
  opened(first),
  opened(second),
  declined(first),
  closed(first),
  closed(second),
  captured(first),
  captured(first),
  captured(first, { amountMinor: 200n }),
  captured(first, { amountMinor: 900n }),
  captured(first, { currency: 'EUR' }),
  captured(first, { captureId: 'pi_twin' }),
  captured(second),
  captured(second),
  captured(second, { amountMinor: 1n }),
  captured(second, { captureId: 'pi_1' }),
  captured(second, { captureId: 'pi_1', amountMinor: 700n, currency: 'EUR' }),
  captured(stranger),
  captured(stranger, { captureId: 'pi_1' }),
  expired,
  delivered,
  delivered,
  deliveryFailed(1),
  stuck(1),
  stuck(2),
  resumed(1),
  resumed(2),
  revoked,
  ...refunds,
  ...refunds.flatMap((refund) => refundOutcomes.map((outcome) => settled(refund, outcome))),
  settled(asked(1, { amountMinor: 1n }), 'done'),
  settled(asked(1, { captureId: 'pi_2' }), 'failed'),
  elsewhere(),
  elsewhere({ amountMinor: 200n }),
  elsewhere({ amountMinor: 300n, outcome: 'failed' }),
  elsewhere({ outcome: 'returned' }),
  elsewhere({ captureId: 'pi_2' }),
  elsewhere({ refundId: 're_other', amountMinor: 299n }),
  elsewhere({ refundId: 're_other', amountMinor: 600n, currency: 'EUR' }),
  ...disputeStages.map((stage) => disputed(stage)),
  ...disputeStages.map((stage) => disputed(stage, { amountMinor: 200n })),
  disputed('open', { captureId: 'pi_2' }),
  disputed('lost', { captureId: 'pi_2', amountMinor: 500n }),
  ...disputeStages.map((stage) => disputed(stage, { disputeId: 'dp_2', captureId: 'pi_2' })),
  disputed('lost', { disputeId: 'dp_3', currency: 'EUR' }),
  disputed('open', { disputeId: 'dp_3', captureId: 'pi_unheard' }),
];

const historiesPerSeed = 1000;
const seeds = effort({ gate: 100, night: 1000 });

// Each seed of fast-check draws a thousand histories with a cheap generator, because drawing whole
// histories with fast-check itself costs many times more than testing them.
test('random histories of an order lead to the same state in any sequence of their events, and to the state of a reference model', () => {
  const seed = Date.now() % 2 ** 31;
  const outcomes = new Set<string>();
  let histories = 0;
  fc.assert(
    fc.property(fc.integer(), (seedOfMany) => {
      const random = randomFrom(seedOfMany);
      for (let index = 0; index < historiesPerSeed; index += 1) {
        const history = historyOf(random);
        const end = project(due, history);
        histories += 1;
        collectOutcomes(outcomes, end);
        if (!isConsistent(history, end, random)) throw new Error(describeFailure(history, random));
      }
    }),
    { seed, numRuns: seeds, endOnFailure: true },
  );
  console.info(`${histories} histories from seed ${seed}: 0 depend on the order of their facts`);
  expect(histories).toBe(seeds * historiesPerSeed);
  const expectedOutcomes = [
    ...orderStates,
    'unknown_attempt',
    'wrong_currency',
    'underpaid',
    'overpaid',
  ];
  expectedOutcomes.push(
    'nothing to look at',
    'in dispute',
    'paid twice',
    'partly lost',
    'more lost than paid',
  );
  expect([...outcomes].sort()).toEqual(expectedOutcomes.sort());
});

function collectOutcomes(outcomes: Set<string>, { state, money }: Projection): void {
  outcomes.add(state).add(money.reviewReason ?? 'nothing to look at');
  if (money.isDisputed) outcomes.add('in dispute');
  if (money.surplusMinor > 0n) outcomes.add('paid twice');
  if (money.lossMinor > 0n && money.lossMinor < due.amountMinor) outcomes.add('partly lost');
  if (money.lossMinor > due.amountMinor) outcomes.add('more lost than paid');
}

/** Whether a shuffled history and the reference model both give the same result. */
function isConsistent(history: readonly Fact[], end: Projection, random: Random): boolean {
  const reordered = project(due, reorderingOf(history, random));
  return wholeText(end) === wholeText(reordered) && comparableText(end) === modelText(history);
}

function modelText(history: readonly Fact[]): string {
  const model = modelOf(due, history);
  return `${model.state} ${model.lossMinor} ${model.pendingLossMinor} ${model.surplusMinor} ${model.reviewReason} ${model.isDisputed} ${model.refundable}`;
}

function comparableText({ state, money }: Projection): string {
  const refundable = money.captures
    .map((one) => `${one.captureId}:${one.attemptId}:${one.currency} ${one.refundableMinor}`)
    .join();
  return `${state} ${money.lossMinor} ${money.pendingLossMinor} ${money.surplusMinor} ${money.reviewReason} ${money.isDisputed} ${refundable}`;
}

function wholeText(projection: Projection): string {
  const { captures, refunds, disputes } = projection.money;
  let text = comparableText(projection);
  for (const one of captures) text += ` ${one.misfit} ${one.amountMinor} ${one.goneMinor}`;
  for (const one of refunds) text += ` ${one.refundId} ${one.state} ${one.amountMinor}`;
  for (const one of disputes) text += ` ${one.disputeId} ${one.stage} ${one.amountMinor}`;
  return text;
}

/** Describes the shortest history that still fails, to ease debugging. */
function describeFailure(history: readonly Fact[], random: Random): string {
  const attempts = Array.from({ length: 50 });
  const isWrong = (facts: readonly Fact[]) =>
    attempts.some(() => !isConsistent(facts, project(due, facts), random));
  let shortest = history;
  for (let index = 0; index < shortest.length; ) {
    const shorter = shortest.toSpliced(index, 1);
    if (isWrong(shorter)) shortest = shorter;
    else index += 1;
  }
  const lines = shortest.map((fact) =>
    JSON.stringify(fact, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
  );
  const ends = [comparableText(project(due, shortest)), modelText(shortest)];
  return [...lines, `actual:   ${ends[0]}`, `expected: ${ends[1]}`].join('\n');
}

type Random = (below: number) => number;

/** A small, fast and deterministic random generator (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Draws a history; most histories contain an opened and captured payment. */
function historyOf(random: Random): Fact[] {
  const facts: Fact[] = [];
  if (random(10) > 0) facts.push(opened(first));
  if (random(10) > 3) facts.push(captured(first));
  if (random(10) > 5) facts.push(opened(second));
  for (let more = random(9); more > 0; more -= 1) {
    const drawn = possibleFacts[random(possibleFacts.length)];
    if (drawn !== undefined) facts.push(drawn);
  }
  return shuffled(facts, random);
}

function reorderingOf(history: readonly Fact[], random: Random): Fact[] {
  const repeated = history.filter(() => random(3) === 0);
  return shuffled([...history, ...repeated], random);
}

function shuffled(facts: Fact[], random: Random): Fact[] {
  for (let index = facts.length - 1; index > 0; index -= 1) {
    const other = random(index + 1);
    const moved = facts[other];
    const fact = facts[index];
    if (moved === undefined || fact === undefined) throw new Error('index outside the history');
    [facts[index], facts[other]] = [moved, fact];
  }
  return facts;
}
