import { type FrozenTimes, isFrozenNow, maybeFrozenAt, surelyFrozenAt } from './frozen.ts';
import type { Purposes } from './gifts.ts';
import type { Draw, Entry, Lot, WalletRows } from './wallets.ts';

/** Data besides the wallet that its spends are checked against. */
interface SpendContext {
  frozen: FrozenTimes;
  purposes: Purposes;
}

/** I13: points were spent in the right order, returned to their lots, and expired on time. */
export function checkSpends(rows: WalletRows, context: SpendContext): string[] {
  const { frozen } = context;
  return [
    ...wrongDraws(rows, context),
    ...wrongReturns(rows),
    ...wrongReturnLots(rows),
    ...wrongExpiries(rows, frozen),
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

function wrongDraws(rows: WalletRows, { frozen, purposes }: SpendContext): string[] {
  const wrong: string[] = [];
  const pointsByLot = new Map<Lot, number>();
  for (const entry of rows.entries) {
    const drawn = drawnBy(entry);
    for (const { lot, points } of drawn) {
      const left = (pointsByLot.get(lot) ?? 0) + points;
      if (left > 0) pointsByLot.set(lot, left);
      else pointsByLot.delete(lot);
    }
    if (entry.kind !== 'spend') continue;
    const purpose = purposes.get(entry.originId);
    const found = [
      ...wrongDrawOrder(entry, drawn, frozen),
      ...(purpose === undefined
        ? skippedLots(entry, drawn, { pointsByLot, frozen })
        : drawsFromOtherGifts(drawn, purpose)),
    ];
    wrong.push(...found.map((text) => `order ${entry.originId} drew ${text}`));
  }
  return wrong;
}

/** Expired and frozen lots were not spent, and of all others those that expire first. */
function wrongDrawOrder(entry: Entry, drawn: readonly Drawn[], frozen: FrozenTimes): string[] {
  const first = drawn[0]?.lot.bucket ?? '';
  const wrong: string[] = [];
  for (const [index, draw] of drawn.entries()) {
    const { lot } = draw;
    const report = (reason: string) =>
      wrong.push(`${-draw.points} points from lot ${draw.lotId}: ${reason}`);
    const before = drawn[index - 1]?.lot;
    const isInTurn = before === undefined || isBefore(before, lot, first);
    if (lot.endsAt <= entry.at) report('past its time');
    if (!isInTurn || draw.position !== index + 1) report('not in its turn');
    if (draw.points >= 0) report('the wrong way');
    if (surelyFrozenAt(frozen, lot.originId, entry.at)) report('frozen');
  }
  return wrong;
}

/** Points given for one order may be drawn out of order, and pay for all of it. */
function drawsFromOtherGifts(drawn: readonly Drawn[], originId: string): string[] {
  return drawn
    .filter(({ lot }) => lot.originId !== originId)
    .map(({ points, lot }) => `${-points} points from lot ${lot.lotId}: not given for it`);
}

/** Lots with points left could not be spent, or come after the last lot drawn. */
function skippedLots(
  entry: Entry,
  drawn: readonly Drawn[],
  wallet: { pointsByLot: ReadonlyMap<Lot, number>; frozen: FrozenTimes },
): string[] {
  const first = drawn[0]?.lot.bucket ?? '';
  const last = drawn.at(-1)?.lot;
  if (last === undefined) return [];
  const wrong: string[] = [];
  for (const [lot, left] of wallet.pointsByLot) {
    if (lot.endsAt <= entry.at || !isBefore(lot, last, first)) continue;
    if (maybeFrozenAt(wallet.frozen, lot.originId, entry.at)) continue;
    wrong.push(`on lot ${last.lotId} before lot ${lot.lotId}, which had ${left} points`);
  }
  return wrong;
}

/** Only spent points are returned, last drawn first, to the bucket that they came from. */
function wrongReturns(rows: WalletRows): string[] {
  const wrong: string[] = [];
  for (const [originId, entries] of refundsIn(rows)) {
    const back = { basic: 0, present: 0 };
    for (const { basic, present } of entries) {
      back.basic += basic;
      back.present += present;
    }
    let left = back.basic + back.present;
    const expected = { basic: 0, present: 0 };
    for (const { lot, points } of spentBy(rows, originId).toReversed()) {
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
function wrongReturnLots(rows: WalletRows): string[] {
  const wrong: string[] = [];
  for (const [originId, entries] of refundsIn(rows)) {
    const spent = spentBy(rows, originId);
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

function refundsIn({ entries }: WalletRows): Map<string, Entry[]> {
  return Map.groupBy(
    entries.filter(({ kind }) => kind === 'refund'),
    ({ originId }) => originId,
  );
}

function spentBy(rows: WalletRows, originId: string): Drawn[] {
  return rows.entries
    .filter((entry) => entry.kind === 'spend' && entry.originId === originId)
    .flatMap(drawnBy);
}

/**
 * Points expire at their time and not before, and a lot is frozen as long as its payment is
 * disputed.
 */
function wrongExpiries(rows: WalletRows, frozen: FrozenTimes): string[] {
  const wrong: string[] = [];
  for (const entry of rows.entries) {
    if (entry.kind !== 'expiry') continue;
    for (const { lot } of drawnBy(entry)) {
      if (lot.endsAt > entry.at) wrong.push(`lot ${lot.lotId} expired before its time`);
    }
  }
  for (const { lotId, isFrozen, originId } of rows.lots.values()) {
    const isDisputed = isFrozenNow(frozen, originId);
    if (isFrozen === isDisputed) continue;
    const [is, payment] = [isFrozen, isDisputed].map((yes) => (yes ? '' : 'not '));
    wrong.push(`lot ${lotId} is ${is}frozen, its payment is ${payment}disputed`);
  }
  return wrong;
}
