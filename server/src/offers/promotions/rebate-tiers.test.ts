import { describe, expect, test } from 'vitest';
import { type Credit, creditSteps, nextTier, tiersShown } from './rebate-tiers.ts';

const low = { tier: 1, fromMinor: 500n, presentPoints: 50n };
const high = { tier: 2, fromMinor: 1000n, presentPoints: 120n };
const tiers = [low, high];
const creditOf = (tier: typeof low, steps: number): Credit => ({
  ...tier,
  steps,
  creditId: '0198a000-0000-7000-8000-0000000000cc',
});

/** The steps of each tier, as text such as `1 earned`. */
const stepsAt = (progressMinor: bigint, credits: readonly Credit[] = []) =>
  creditSteps(tiers, credits, progressMinor).map((step) =>
    step.kind === 'earned'
      ? `${step.tier.tier} earned`
      : `${step.credit.tier} ${step.kind.replace('_', ' ')}`,
  );

describe('rebate tier steps', () => {
  test.each<[bigint, string[]]>([
    [0n, []],
    [499n, []],
    [500n, ['1 earned']],
    [999n, ['1 earned']],
    [1000n, ['1 earned', '2 earned']],
  ])(
    'a rebate progress of %d minor units of money, without earlier credits, earns the rebate tiers %j',
    (progressMinor, steps) => {
      expect(stepsAt(progressMinor)).toEqual(steps);
    },
  );

  test.each<[string, bigint, Credit[], string[]]>([
    ['a rebate tier that was earned is not earned again', 700n, [creditOf(low, 1)], []],
    ['a rebate tier is earned in addition to a lower one', 1000n, [creditOf(low, 1)], ['2 earned']],
    [
      'a rebate tier that is no longer reached is taken back',
      499n,
      [creditOf(low, 1)],
      ['1 taken back'],
    ],
    ['a rebate tier that was taken back is not taken back again', 499n, [creditOf(low, 2)], []],
    ['a rebate tier that is reached again is restored', 500n, [creditOf(low, 2)], ['1 restored']],
    [
      'a rebate tier that was restored can be taken back again',
      0n,
      [creditOf(low, 3)],
      ['1 taken back'],
    ],
    [
      'a fall in progress takes back only the rebate tiers that are no longer reached',
      999n,
      [creditOf(low, 1), creditOf(high, 1)],
      ['2 taken back'],
    ],
  ])(
    "rebate tiers are credited or taken back depending on the player's progress and earlier credits: %s",
    (_what, progressMinor, credits, steps) => {
      expect(stepsAt(progressMinor, credits)).toEqual(steps);
    },
  );

  test('a player who earned a rebate tier keeps it by its old threshold after the threshold was raised', () => {
    const reached = creditOf({ ...low, fromMinor: 300n }, 1);
    expect(stepsAt(300n, [reached])).toEqual([]);
    expect(stepsAt(299n, [reached])).toEqual(['1 taken back']);
  });
});

describe('shown rebate tiers', () => {
  test('the rebate tiers shown to a player are sorted by threshold and keep the terms under which they were earned', () => {
    const reached = creditOf({ ...high, fromMinor: 400n, presentPoints: 7n }, 1);
    expect(tiersShown(tiers, [reached])).toEqual([
      { tier: 2, fromMinor: 400n, presentPoints: 7n, state: 'earned' },
      { ...low, state: 'open' },
    ]);
    expect(tiersShown([low], [creditOf(low, 2)])).toEqual([{ ...low, state: 'taken_back' }]);
  });

  test.each<[string, bigint, Credit[], number | undefined, bigint | undefined]>([
    ['the first at the start', 0n, [], 1, 500n],
    ['the second after the first was earned', 700n, [creditOf(low, 1)], 2, 300n],
    ['the first again when it was taken back', 100n, [creditOf(low, 2)], 1, 400n],
    [
      'none after the last was earned',
      2000n,
      [creditOf(low, 1), creditOf(high, 1)],
      undefined,
      undefined,
    ],
    ['reached with nothing missing after its threshold was lowered', 700n, [], 1, 0n],
  ])(
    'the next rebate tier shown to a player depends on the progress and earlier credits: it is %s',
    (_which, progressMinor, credits, tier, missingMinor) => {
      const next = nextTier(tiersShown(tiers, credits), progressMinor);
      expect([next?.tier, next?.missingMinor]).toEqual([tier, missingMinor]);
    },
  );
});
