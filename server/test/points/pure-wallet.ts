import { clawBack, restore } from '../../src/money/points/claims.ts';
import { giveBack } from '../../src/money/points/give-back.ts';
import { expire, isDue, type Lot, type Movement, type Share } from '../../src/money/points/lots.ts';
import { inSpendOrder, spend } from '../../src/money/points/spend-order.ts';
import { grant, type TopUp, wayOf } from '../../src/money/points/top-up.ts';
import type { Step } from './commands.ts';

const dayMs = 24 * 60 * 60_000;
const turnMs = 1;

/** An in-memory wallet that applies the rules as points.ts does, without a database. */
export interface PureWallet {
  basic: bigint;
  present: bigint;
  at: Date;
  lots: Lot[];
  /** The steps of each top-up; the last step is its current state. */
  topUps: TopUp[][];
  spends: { originId: string; draws: Share[]; back: bigint }[];
}

export function newPureWallet(): PureWallet {
  return { basic: 0n, present: 0n, at: new Date(0), lots: [], topUps: [], spends: [] };
}

/** Returns the error code of a refusal, or undefined. */
export function performPurely(wallet: PureWallet, step: Step): string | undefined {
  wallet.at = new Date(wallet.at.getTime() + turnMs);
  if (step.type === 'wait') {
    // Only whole days pass, so lots that expire on a day have expired by then.
    wallet.at = new Date(wallet.at.getTime() + step.days * dayMs);
    return undefined;
  }
  const before = { ...wallet };
  expireDue(wallet);
  const refusal = act(wallet, step);
  if (refusal !== undefined) Object.assign(wallet, before);
  return refusal;
}

function act(wallet: PureWallet, step: Exclude<Step, { type: 'wait' }>): string | undefined {
  switch (step.type) {
    case 'top_up': {
      const { originId, days } = step;
      const [basic, present] = [BigInt(step.basic), BigInt(step.present)];
      const presentExpiresAt = days === null ? null : new Date(wallet.at.getTime() + days * dayMs);
      apply(wallet, grant(wallet, { originId, basic, present, presentExpiresAt }));
      const granted = { originId, basicGranted: basic, presentGranted: present };
      const kept = { basicKept: basic, presentKept: present };
      const topUp = { ...granted, ...kept, presentClaimed: 0n, presentOwed: 0n };
      wallet.topUps = [...wallet.topUps, [topUp]];
      return undefined;
    }
    case 'spend':
      return trySpend(wallet, step);
    case 'give_back':
      takeBack(wallet, step);
      return undefined;
    case 'keep':
      keep(wallet, step);
      return undefined;
    case 'freeze':
      wallet.lots = wallet.lots.map((lot) =>
        lot.originId === step.originId ? { ...lot, isFrozen: step.isFrozen } : lot,
      );
      return undefined;
    default:
      return undefined;
  }
}

function trySpend(
  wallet: PureWallet,
  { originId, points, isBasicFirst }: Extract<Step, { type: 'spend' }>,
): string | undefined {
  if (wallet.basic < 0n) return 'EPointDebt';
  const spendOrder = isBasicFirst ? 'basic_first' : 'present_first';
  const before = new Map(wallet.lots.map((lot) => [lot.lotId, lot.remaining]));
  const movement = spend(wallet.lots, { points: BigInt(points), spendOrder });
  if (movement === undefined) return 'EPointInsufficient';
  apply(wallet, movement);
  const draws = movement.lots.map((lot) => ({
    lot,
    points: (before.get(lot.lotId) ?? 0n) - lot.remaining,
  }));
  wallet.spends = [...wallet.spends, { originId, draws, back: 0n }];
  return undefined;
}

function takeBack(
  wallet: PureWallet,
  { originId, points, posting }: Extract<Step, { type: 'give_back' }>,
): void {
  const spent = wallet.spends.find((one) => one.originId === originId);
  if (spent === undefined) throw new Error('the origin has spent nothing');
  const draws = spent.draws.map(({ lot, points: drawn }) => {
    const now = wallet.lots.find(({ lotId }) => lotId === lot.lotId);
    if (now === undefined) throw new Error('the drawn lot does not exist');
    return { lot: now, points: drawn };
  });
  const cause = { originId, posting };
  const back = { points: BigInt(points), cause };
  apply(wallet, giveBack(wallet, { draws, backAlready: spent.back }, back));
  wallet.spends = wallet.spends.map((one) =>
    one === spent ? { ...one, back: one.back + BigInt(points) } : one,
  );
}

function keep(wallet: PureWallet, step: Extract<Step, { type: 'keep' }>): void {
  const { originId, posting } = step;
  const steps = wallet.topUps.find(([first]) => first?.originId === originId) ?? [];
  const topUp = steps.at(-1);
  if (topUp === undefined) throw new Error('the top-up does not exist');
  const kept = { basic: BigInt(step.basic), present: BigInt(step.present) };
  const otherSteps = wallet.topUps.filter((some) => some !== steps);
  const topUps = wallet.topUps.flatMap((some) => some.slice(-1));
  const movement =
    wayOf(topUp, kept) === 'claw_back'
      ? clawBack(wallet, topUp, kept)
      : restore(wallet, { topUp, steps, topUps }, { kept, cause: { originId, posting } });
  apply(wallet, movement);
  const { presentClaimed, presentOwed } = movement;
  const after = { basicKept: kept.basic, presentKept: kept.present, presentClaimed, presentOwed };
  wallet.topUps = [...otherSteps, [...steps, { ...topUp, ...after }]];
}

function expireDue(wallet: PureWallet): void {
  for (const lot of inSpendOrder(wallet.lots, 'present_first')) {
    if (lot.remaining > 0n && isDue(lot, wallet.at)) apply(wallet, expire(lot));
  }
}

function apply(wallet: PureWallet, movement: Movement): void {
  const touched = new Set(movement.lots.map(({ lotId }) => lotId));
  if (touched.size < movement.lots.length) throw new Error('a movement lists a lot twice');
  wallet.basic += movement.basicChange;
  wallet.present += movement.presentChange;
  wallet.lots = [...wallet.lots.filter(({ lotId }) => !touched.has(lotId)), ...movement.lots];
}
