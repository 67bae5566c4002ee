import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCommand, type Command, type Step } from '../../../test/points/commands.ts';
import { balanceOf, type Model, newModel, perform, resolve } from '../../../test/points/model.ts';
import { newPureWallet, type PureWallet, performPurely } from '../../../test/points/pure-wallet.ts';
import { isDue, type Lot, sumOf } from './lots.ts';

const anyHistory = (lengthMax: number) =>
  fc.array(anyCommand, { maxLength: lengthMax, size: 'max' });

/** The balance and the places of all points as text, for comparison. */
function stateOf({ basic, present, lots, at }: PureWallet): string {
  const totalOf = (isIt: (lot: Lot) => boolean) =>
    sumOf(lots.filter(isIt).map(({ remaining }) => remaining));
  const frozenOf = (bucket: string) =>
    totalOf((lot) => lot.bucket === bucket && lot.isFrozen && !isDue(lot, at));
  const balance = {
    basic,
    present: present - totalOf((lot) => isDue(lot, at)),
    frozenBasic: frozenOf('basic'),
    frozenPresent: frozenOf('present'),
  };
  return toText(balance, lots);
}

const stateOfModel = (model: Model) => toText(balanceOf(model), model.lots);

type Places = Record<'lotId' | 'remaining' | 'spent' | 'expired' | 'claimed', unknown>;

function toText(balance: ReturnType<typeof balanceOf>, lots: readonly Places[]): string {
  const { basic, present, frozenBasic, frozenPresent } = balance;
  const lines = lots.map(
    (lot) => `${lot.lotId} ${lot.remaining} ${lot.spent} ${lot.expired} ${lot.claimed}`,
  );
  return [`${basic} ${present} ${frozenBasic} ${frozenPresent}`, ...lines.sort()].join('\n');
}

/** Performs the commands in both and returns the steps that were possible. */
function performAll(
  wallet: PureWallet,
  model: Model,
  commands: readonly Command[],
  isAllowed: (step: Step) => boolean = () => true,
): Step[] {
  const done: Step[] = [];
  for (const command of commands) {
    const step = resolve(model, command);
    if (step === undefined || !isAllowed(step)) continue;
    perform(model, step);
    performPurely(wallet, step);
    done.push(step);
  }
  return done;
}

test('after random point wallet commands, each credit of points has the same spent, expired and remaining points as a reference model', () => {
  fc.assert(
    fc.property(anyHistory(40), (commands) => {
      const model = newModel();
      const wallet = newPureWallet();
      for (const command of commands) {
        const step = resolve(model, command);
        if (step === undefined) continue;
        expect(performPurely(wallet, step)).toBe(perform(model, step));
        expect(stateOf(wallet)).toBe(stateOfModel(model));
      }
    }),
    { numRuns: 1000 },
  );
});

/**
 * Basic points are interchangeable and never expire. While other top-ups also claim points, they
 * may lie in other lots, but their number is the same.
 */
function whatIsRestored({ basic, present, lots, topUps }: PureWallet) {
  const isWhole = topUps.every((steps) => {
    const now = steps.at(-1);
    return now?.basicKept === now?.basicGranted && now?.presentKept === now?.presentGranted;
  });
  const exact = lots.filter(({ bucket }) => bucket === 'present' || isWhole);
  const remaining = exact.map((lot) => `${lot.lotId} ${lot.remaining}`);
  return { basic, present, remaining: remaining.sort() };
}

test('a top-up that was taken back and restored is as if untouched, if nothing was spent in between', () => {
  fc.assert(
    fc.property(anyHistory(25), anyHistory(10), fc.nat(), (history, between, pick) => {
      const model = newModel();
      const wallet = newPureWallet();
      performAll(wallet, model, [...history, { type: 'sweep' }]);
      const topUp = model.topUps[pick % model.topUps.length];
      fc.pre(topUp !== undefined);
      const { originId, basicKept, presentKept } = topUp;
      const takenBack = { ...wallet };
      const keep = (basic: number, present: number, posting: string) =>
        performPurely(takenBack, { type: 'keep', originId, basic, present, posting });

      keep(0, 0, 'taken back');
      const meanwhile = performAll(
        wallet,
        model,
        between,
        (step) =>
          step.type !== 'wait' &&
          step.type !== 'spend' &&
          !(step.type === 'keep' && step.originId === originId),
      );
      for (const step of meanwhile) performPurely(takenBack, step);
      keep(basicKept, presentKept, 'restored');

      expect(whatIsRestored(takenBack)).toEqual(whatIsRestored(wallet));
    }),
    { numRuns: 1000 },
  );
});
