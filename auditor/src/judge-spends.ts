import { type FrozenTimes, isFrozenNow, maybeFrozenAt, surelyFrozenAt } from './frozen.ts';
import type { Purposes } from './gifts.ts';
import type { Draw, Entry, Lot, WalletPapers } from './wallets.ts';

/** Data besides the wallet that its spends are checked against. */
interface Surroundings {
  frozen: FrozenTimes;
  purposes: Purposes;
}

/** I13: points were spent in the right order, returned to their lots, and expired on time. */
export function judgeSpends(papers: WalletPapers, around: Surroundings): string[] {
  const { frozen } = around;
  return [
    ...wrongDraws(papers, around),
    ...wrongGiveBacks(papers),
    ...strangeLots(papers),
    ...wrongEnds(papers, frozen),
  ];
}

/** A draw from an existing lot. */
type Drawn = Draw & { lot: Lot };

function drawnBy({ draws }: Entry): Drawn[] {
  return draws.filter((draw): draw is Drawn => draw.lot !== undefined);
}

/**
 * The bucket that is spent first comes first; within it, the lot that expires first, then the older
 * lot.
 */
function isBefore(one: Lot, other: Lot, first: string): boolean {
  const isFirst = one.bucket === first;
  if (isFirst !== (other.bucket === first)) return isFirst;
  if (one.endsAt !== other.endsAt) return one.endsAt < other.endsAt;
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.lotId < other.lotId;
}

function wrongDraws(papers: WalletPapers, { frozen, purposes }: Surroundings): string[] {
  const wrong: string[] = [];
  const lying = new Map<Lot, number>();
  for (const entry of papers.entries) {
    const drawn = drawnBy(entry);
    for (const { lot, points } of drawn) {
      const left = (lying.get(lot) ?? 0) + points;
      if (left > 0) lying.set(lot, left);
      else lying.delete(lot);
    }
    if (entry.kind !== 'spend') continue;
    const purpose = purposes.get(entry.originId);
    const found = [
      ...wrongTurns(entry, drawn, frozen),
      ...(purpose === undefined
        ? leftBehind(entry, drawn, { lying, frozen })
        : meantForOthers(drawn, purpose)),
    ];
    wrong.push(...found.map((text) => `order ${entry.originId} drew ${text}`));
  }
  return wrong;
}

/** Expired and frozen lots were not spent, and of all others those that expire first. */
function wrongTurns(entry: Entry, drawn: readonly Drawn[], frozen: FrozenTimes): string[] {
  const first = drawn[0]?.lot.bucket ?? '';
  const wrong: string[] = [];
  for (const [index, draw] of drawn.entries()) {
    const { lot } = draw;
    const tell = (reason: string) =>
      wrong.push(`${-draw.points} points from lot ${draw.lotId}: ${reason}`);
    const before = drawn[index - 1]?.lot;
    const isInTurn = before === undefined || isBefore(before, lot, first);
    if (lot.endsAt <= entry.at) tell('past its time');
    if (!isInTurn || draw.position !== index + 1) tell('not in its turn');
    if (draw.points >= 0) tell('the wrong way');
    if (surelyFrozenAt(frozen, lot.originId, entry.at)) tell('frozen');
  }
  return wrong;
}

/** Points given for one order may be drawn out of order, and pay for all of it. */
function meantForOthers(drawn: readonly Drawn[], originId: string): string[] {
  return drawn
    .filter(({ lot }) => lot.originId !== originId)
    .map(({ points, lot }) => `${-points} points from lot ${lot.lotId}: not given for it`);
}

/** Lots with points left could not be spent, or come after the last lot drawn. */
function leftBehind(
  entry: Entry,
  drawn: readonly Drawn[],
  wallet: { lying: ReadonlyMap<Lot, number>; frozen: FrozenTimes },
): string[] {
  const first = drawn[0]?.lot.bucket ?? '';
  const last = drawn.at(-1)?.lot;
  if (last === undefined) return [];
  const wrong: string[] = [];
  for (const [lot, left] of wallet.lying) {
    if (lot.endsAt <= entry.at || !isBefore(lot, last, first)) continue;
    if (maybeFrozenAt(wallet.frozen, lot.originId, entry.at)) continue;
    wrong.push(`on lot ${last.lotId} before lot ${lot.lotId}, which had ${left} points`);
  }
  return wrong;
}

/** Only spent points are returned, last drawn first, to the bucket that they came from. */
function wrongGiveBacks(papers: WalletPapers): string[] {
  const wrong: string[] = [];
  for (const [originId, entries] of refundsIn(papers)) {
    const back = { basic: 0, present: 0 };
    for (const { basic, present } of entries) {
      back.basic += basic;
      back.present += present;
    }
    let left = back.basic + back.present;
    const expected = { basic: 0, present: 0 };
    for (const { lot, points } of spentBy(papers, originId).toReversed()) {
      const part = Math.min(left, -points);
      left -= part;
      if (lot.bucket === 'basic') expected.basic += part;
      else expected.present += part;
    }
    if (back.basic === expected.basic && back.present === expected.present) continue;
    wrong.push(
      `order ${originId} gave back ${back.basic} and ${back.present} points, ` +
        `expected ${expected.basic} and ${expected.present}`,
    );
  }
  return wrong;
}

/** Points are returned to the lots of the spend, or to a new lot if those have expired. */
function strangeLots(papers: WalletPapers): string[] {
  const wrong: string[] = [];
  for (const [originId, entries] of refundsIn(papers)) {
    const spent = spentBy(papers, originId);
    const back = entries.flatMap((entry) =>
      drawnBy(entry).filter(({ lot }) => lot.bucket !== 'present' || lot.createdAt !== entry.at),
    );
    for (const [{ lotId }, draws] of Map.groupBy(back, ({ lot }) => lot)) {
      const points = draws.reduce((sum, draw) => sum + draw.points, 0);
      const gave = -(spent.find(({ lot }) => lot.lotId === lotId)?.points ?? 0);
      if (points <= gave) continue;
      wrong.push(
        `order ${originId} gave back ${points} points to lot ${lotId}, which gave it ${gave}`,
      );
    }
  }
  return wrong;
}

function refundsIn({ entries }: WalletPapers): Map<string, Entry[]> {
  return Map.groupBy(
    entries.filter(({ kind }) => kind === 'refund'),
    ({ originId }) => originId,
  );
}

function spentBy(papers: WalletPapers, originId: string): Drawn[] {
  return papers.entries
    .filter((entry) => entry.kind === 'spend' && entry.originId === originId)
    .flatMap(drawnBy);
}

/**
 * Points expire at their time and not before, and a lot is frozen as long as its payment is
 * disputed.
 */
function wrongEnds(papers: WalletPapers, frozen: FrozenTimes): string[] {
  const wrong: string[] = [];
  for (const entry of papers.entries) {
    if (entry.kind !== 'expiry') continue;
    for (const { lot } of drawnBy(entry)) {
      if (lot.endsAt > entry.at) wrong.push(`lot ${lot.lotId} expired before its time`);
    }
  }
  for (const { lotId, isFrozen, originId } of papers.lots.values()) {
    const isDisputed = isFrozenNow(frozen, originId);
    if (isFrozen === isDisputed) continue;
    const [is, payment] = [isFrozen, isDisputed].map((yes) => (yes ? '' : 'not '));
    wrong.push(`lot ${lotId} is ${is}frozen, its payment is ${payment}disputed`);
  }
  return wrong;
}
