import fc from 'fast-check';

/** A random command. `pick` selects among existing objects; numbers are reduced to valid ones. */
export type Command =
  | { type: 'top_up'; basic: number; present: number; days: number | null }
  | { type: 'spend'; points: number; isBasicFirst: boolean }
  | { type: 'give_back'; pick: number; points: number }
  | { type: 'claw_back' | 'restore'; pick: number; basic: number; present: number }
  | { type: 'freeze'; pick: number; isFrozen: boolean }
  | { type: 'wait'; days: number }
  | { type: 'sweep' };

/** A command with every choice resolved. */
export type Step =
  | Extract<Command, { type: 'wait' | 'sweep' }>
  | (Extract<Command, { type: 'top_up' | 'spend' }> & { originId: string })
  | { type: 'give_back'; originId: string; points: number; posting: string }
  | { type: 'keep'; originId: string; basic: number; present: number; posting: string }
  | { type: 'freeze'; originId: string; isFrozen: boolean };

const pick = fc.nat(9);
const some = fc.nat(9);

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        type: fc.constant('top_up' as const),
        basic: some,
        present: some,
        days: fc.constantFrom(null, 10, 20, 40),
      })
      .filter(({ basic, present }) => basic + present > 0),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('spend' as const),
      points: fc.integer({ min: 1, max: 12 }),
      isBasicFirst: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('give_back' as const),
      pick,
      points: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constantFrom('claw_back' as const, 'restore' as const),
      pick,
      basic: some,
      present: some,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('freeze' as const), pick, isFrozen: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('wait' as const), days: fc.constantFrom(10, 30) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('sweep' as const) }) },
);
