import { derivedId, firstIdAt } from '../../src/platform/ids.ts';
import type { Command, Step } from './commands.ts';

/** The reference model: every single point is a token that lies in one place of one lot. */
export interface Model {
  today: number;
  turn: number;
  debt: number;
  lots: ModelLot[];
  topUps: ModelTopUp[];
  spends: ModelSpend[];
}

type Place = 'remaining' | 'spent' | 'expired' | 'claimed';

interface ModelLot extends Record<Place, number> {
  lotId: string;
  bucket: 'basic' | 'present';
  originId: string;
  endsOn: number;
  madeIn: number;
  isFrozen: boolean;
}

interface ModelTopUp {
  originId: string;
  basic: number;
  present: number;
  basicKept: number;
  presentKept: number;
  owed: number;
  /** How each present point was taken, in the order of taking. */
  taken: ('claimed' | 'owed' | 'expired')[];
}

interface ModelSpend {
  originId: string;
  /** One entry for each point, in the order they were drawn. */
  drawn: ModelLot[];
}

export function newModel(): Model {
  return { today: 0, turn: 0, debt: 0, lots: [], topUps: [], spends: [] };
}

// The time part of an id, because the ledger is partitioned by the time in its ids.
const begun = firstIdAt(new Date()).slice(0, -12);

/** Undefined if the wallet has no object for the command. */
export function resolve(model: Model, command: Command): Step | undefined {
  const id = begun + model.turn.toString(16).padStart(12, '0');
  const chosen = <T>(all: T[], index: number): T | undefined => all[index % all.length];
  switch (command.type) {
    case 'give_back': {
      const spend = chosen(
        model.spends.filter(({ drawn }) => drawn.length > 0),
        command.pick,
      );
      if (spend === undefined) return undefined;
      const points = Math.min(command.points, spend.drawn.length);
      return { type: 'give_back', originId: spend.originId, points, posting: id };
    }
    case 'claw_back':
    case 'restore': {
      const topUp = chosen(model.topUps, command.pick);
      if (topUp === undefined) return undefined;
      const { originId, basic, present, basicKept, presentKept } = topUp;
      const kept =
        command.type === 'claw_back'
          ? {
              basic: Math.max(0, basicKept - command.basic),
              present: Math.max(0, presentKept - command.present),
            }
          : {
              basic: Math.min(basic, basicKept + command.basic),
              present: Math.min(present, presentKept + command.present),
            };
      return { type: 'keep', originId, ...kept, posting: id };
    }
    case 'freeze': {
      const topUp = chosen(model.topUps, command.pick);
      return topUp && { type: 'freeze', originId: topUp.originId, isFrozen: command.isFrozen };
    }
    case 'top_up':
    case 'spend':
      return { ...command, originId: id };
    default:
      return command;
  }
}

/** Returns the error code of a refusal, or undefined. */
export function perform(model: Model, step: Step): string | undefined {
  model.turn += 1;
  if (step.type === 'wait') model.today += step.days;
  else if (step.type === 'spend') return trySpend(model, step);
  else {
    expireDue(model);
    if (step.type === 'top_up') topUp(model, step);
    if (step.type === 'give_back') giveBack(model, step);
    if (step.type === 'keep') keep(model, step);
    if (step.type === 'freeze') {
      for (const lot of lotsOf(model, step.originId)) lot.isFrozen = step.isFrozen;
    }
  }
  return undefined;
}

export function balanceOf({ lots, debt, today }: Model) {
  const total = (isIt: (lot: ModelLot) => boolean) =>
    BigInt(
      lots
        .filter((lot) => isIt(lot) && lot.endsOn > today)
        .reduce((sum, lot) => sum + lot.remaining, 0),
    );
  return {
    basic: total(({ bucket }) => bucket === 'basic') - BigInt(debt),
    present: total(({ bucket }) => bucket === 'present'),
    frozenBasic: total(({ bucket, isFrozen }) => bucket === 'basic' && isFrozen),
    frozenPresent: total(({ bucket, isFrozen }) => bucket === 'present' && isFrozen),
  };
}

function topUp(model: Model, step: Extract<Step, { type: 'top_up' }>): void {
  const { originId, basic, present, days } = step;
  const endsOn = days === null ? Number.POSITIVE_INFINITY : model.today + days;
  model.topUps.push({
    originId,
    basic,
    present,
    basicKept: basic,
    presentKept: present,
    owed: 0,
    taken: [],
  });
  const basicLot = addLot(model, { originId, bucket: 'basic', endsOn: Number.POSITIVE_INFINITY });
  const presentLot = addLot(model, { originId, bucket: 'present', endsOn });
  for (let point = 0; point < basic; point += 1) creditBasic(model, basicLot);
  presentLot.remaining += present;
  model.lots = model.lots.filter((lot) => tokensIn(lot) > 0);
}

function addLot(
  model: Model,
  lot: Pick<ModelLot, 'originId' | 'bucket' | 'endsOn'> & Partial<ModelLot>,
): ModelLot {
  const made = {
    lotId: derivedId('lot', lot.originId, lot.bucket),
    remaining: 0,
    spent: 0,
    expired: 0,
    claimed: 0,
    isFrozen: false,
    madeIn: model.turn,
    ...lot,
  };
  model.lots.push(made);
  return made;
}

function creditBasic(model: Model, lot: ModelLot): void {
  if (model.debt > 0) {
    model.debt -= 1;
    lot.claimed += 1;
  } else {
    lot.remaining += 1;
  }
}

function trySpend(
  model: Model,
  { originId, points, isBasicFirst }: Extract<Step, { type: 'spend' }>,
): string | undefined {
  if (model.debt > 0) return 'EPointDebt';
  const free = model.lots.filter((lot) => !lot.isFrozen && lot.endsOn > model.today);
  if (free.reduce((sum, lot) => sum + lot.remaining, 0) < points) return 'EPointInsufficient';
  expireDue(model);
  const first = isBasicFirst ? 'basic' : 'present';
  const ordered = [
    ...free.filter(({ bucket }) => bucket === first).sort(byEnd),
    ...free.filter(({ bucket }) => bucket !== first).sort(byEnd),
  ];
  const drawn: ModelLot[] = [];
  for (let point = 0; point < points; point += 1) {
    const lot = mustFind(ordered, ({ remaining }) => remaining > 0);
    lot.remaining -= 1;
    lot.spent += 1;
    drawn.push(lot);
  }
  model.spends.push({ originId, drawn });
  return undefined;
}

function giveBack(model: Model, step: Extract<Step, { type: 'give_back' }>): void {
  const spend = mustFind(model.spends, ({ originId }) => originId === step.originId);
  for (let point = 0; point < step.points; point += 1) {
    const lot = spend.drawn.pop();
    if (lot === undefined) throw new Error('no point is left');
    lot.spent -= 1;
    if (lot.bucket === 'basic') creditBasic(model, lot);
    else bringBack(model, lot, step);
  }
}

function bringBack(model: Model, lot: ModelLot, step: { originId: string; posting: string }): void {
  if (lot.endsOn > model.today) {
    lot.remaining += 1;
    return;
  }
  lot.expired += 1;
  const lotId = derivedId('lot', lot.lotId, step.originId, step.posting);
  const { originId, bucket, isFrozen } = lot;
  const second =
    model.lots.find((other) => other.lotId === lotId) ??
    addLot(model, { lotId, originId, bucket, isFrozen, endsOn: model.today + 30 });
  second.remaining += 1;
}

function keep(model: Model, step: Extract<Step, { type: 'keep' }>): void {
  const topUp = mustFind(model.topUps, ({ originId }) => originId === step.originId);
  while (topUp.presentKept > step.present) takePresent(model, topUp);
  while (topUp.basicKept > step.basic) {
    topUp.basicKept -= 1;
    takeBasic(model, topUp);
  }
  while (topUp.basicKept < step.basic) {
    topUp.basicKept += 1;
    returnBasic(model, topUp);
  }
  while (topUp.presentKept < step.present) returnPresent(model, topUp, step);
}

function takePresent(model: Model, topUp: ModelTopUp): void {
  topUp.presentKept -= 1;
  const own = lotsOf(model, topUp.originId).filter(({ bucket }) => bucket === 'present');
  const lot = own.sort(byEnd).find(({ remaining }) => remaining > 0);
  if (lot !== undefined) {
    lot.remaining -= 1;
    lot.claimed += 1;
    topUp.taken.push('claimed');
  } else if (own.reduce((sum, { spent }) => sum + spent, 0) > topUp.owed) {
    topUp.owed += 1;
    topUp.taken.push('owed');
    takeBasic(model, topUp);
  } else {
    topUp.taken.push('expired');
  }
}

function returnPresent(
  model: Model,
  topUp: ModelTopUp,
  step: { originId: string; posting: string },
): void {
  topUp.presentKept += 1;
  const taken = topUp.taken.pop();
  if (taken === 'expired') return;
  if (taken === 'owed') {
    topUp.owed -= 1;
    returnBasic(model, topUp);
    return;
  }
  const own = lotsOf(model, topUp.originId).filter(({ bucket }) => bucket === 'present');
  const lot = mustFind(own.sort(byEnd).reverse(), (one) => one.claimed > 0);
  lot.claimed -= 1;
  bringBack(model, lot, step);
}

function takeBasic(model: Model, topUp: ModelTopUp): void {
  const lot = claimOrder(model, topUp).find(({ remaining }) => remaining > 0);
  if (lot === undefined) {
    model.debt += 1;
  } else {
    lot.remaining -= 1;
    lot.claimed += 1;
  }
}

/** Returns a point to a lot from which other top-ups have claimed points. */
function returnBasic(model: Model, topUp: ModelTopUp): void {
  if (model.debt > 0) {
    model.debt -= 1;
    return;
  }
  const [own, ...others] = [
    claimOrder(model, topUp).filter(({ originId }) => originId === topUp.originId),
    ...claimOrder(model, topUp)
      .filter(({ originId }) => originId !== topUp.originId)
      .reverse()
      .map((lot) => [lot]),
  ];
  const lot = mustFind([...(own ?? []), ...others.flat()], ({ originId, claimed, remaining }) => {
    const asker = mustFind(model.topUps, (one) => one.originId === originId);
    const asked = asker.basic - asker.basicKept + asker.owed;
    return claimed > Math.min(asked, claimed + remaining);
  });
  lot.claimed -= 1;
  lot.remaining += 1;
}

function claimOrder(model: Model, topUp: ModelTopUp): ModelLot[] {
  const basic = model.lots.filter(({ bucket }) => bucket === 'basic').sort(byEnd);
  const others = basic.filter(({ originId }) => originId !== topUp.originId);
  return [
    ...basic.filter(({ originId }) => originId === topUp.originId),
    ...others.filter(({ isFrozen }) => !isFrozen),
    ...others.filter(({ isFrozen }) => isFrozen),
  ];
}

function expireDue(model: Model): void {
  for (const lot of model.lots) {
    if (lot.endsOn > model.today) continue;
    lot.expired += lot.remaining;
    lot.remaining = 0;
  }
}

function byEnd(one: ModelLot, other: ModelLot): number {
  if (one.endsOn !== other.endsOn) return one.endsOn < other.endsOn ? -1 : 1;
  return one.madeIn - other.madeIn || (one.lotId < other.lotId ? -1 : 1);
}

function lotsOf(model: Model, originId: string): ModelLot[] {
  return model.lots.filter((lot) => lot.originId === originId);
}

function tokensIn({ remaining, spent, expired, claimed }: ModelLot): number {
  return remaining + spent + expired + claimed;
}

function mustFind<T>(all: T[], isIt: (one: T) => boolean): T {
  const found = all.find(isIt);
  if (found === undefined) throw new Error('the model found no matching point');
  return found;
}
