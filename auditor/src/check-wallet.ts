import { createHash } from 'node:crypto';
import type { Violation } from './invariant.ts';
import type { Entry, Lot, WalletRows } from './wallets.ts';

/** I2 and I12: a wallet, its statement and its lots agree, and the statement is complete. */
export function checkWallet(rows: WalletRows): Violation[] {
  return [
    ...[...wrongSums(rows), ...wrongLots(rows), ...wrongBalances(rows)].map((text) => ({
      id: 'I2',
      text,
    })),
    ...brokenChain(rows).map((text) => ({ id: 'I12', text })),
  ];
}

/** The balance is the sum of the entries and of the lots; a negative balance has no lot. */
function wrongSums({ accountId, wallet, entries, lots }: WalletRows): string[] {
  const moved = { basic: 0, present: 0, basicSpent: 0, presentSpent: 0, basicGranted: 0 };
  for (const { kind, basic, present } of entries) {
    moved.basic += basic;
    moved.present += present;
    if (kind === 'top_up') moved.basicGranted += basic;
    if (kind !== 'spend' && kind !== 'refund') continue;
    moved.basicSpent -= basic;
    moved.presentSpent -= present;
  }
  const inLots = { basic: 0, present: 0, basicSpent: 0, presentSpent: 0, basicGranted: 0 };
  for (const { bucket, remaining, spent, granted } of lots.values()) {
    if (bucket === 'basic') {
      inLots.basic += remaining;
      inLots.basicSpent += spent;
      inLots.basicGranted += granted;
    } else {
      inLots.present += remaining;
      inLots.presentSpent += spent;
    }
  }
  const { basic, present } = wallet ?? { basic: 0, present: 0 };
  const isRight =
    wallet !== undefined &&
    basic === moved.basic &&
    present === moved.present &&
    present >= 0 &&
    notBelowZero(basic) === inLots.basic &&
    present === inLots.present &&
    moved.basicSpent === inLots.basicSpent &&
    moved.presentSpent === inLots.presentSpent &&
    moved.basicGranted === inLots.basicGranted;
  return isRight
    ? []
    : [
        `wallet ${accountId} has ${basic} and ${present}, its entries say ${moved.basic} and ` +
          `${moved.present}, its lots ${inLots.basic} and ${inLots.present}`,
      ];
}

/** The points in a lot equal the draws, and every granted point is accounted for. */
function wrongLots({ lots, entries, strays }: WalletRows): string[] {
  const drawn = new Map<Lot, number>();
  const wrong: string[] = [];
  for (const { draws } of [...entries, { draws: strays }]) {
    for (const { lot, lotId, points } of draws) {
      if (lot !== undefined) drawn.set(lot, (drawn.get(lot) ?? 0) + points);
      else wrong.push(`lot ${lotId} holds 0 of 0 points, its draws say ${points}`);
    }
  }
  for (const lot of lots.values()) {
    const says = drawn.get(lot) ?? 0;
    if (lot.remaining === says && isWhole(lot)) continue;
    wrong.push(
      `lot ${lot.lotId} holds ${lot.remaining} of ${lot.granted} points, its draws say ${says}`,
    );
  }
  return wrong;
}

function isWhole({ granted, remaining, spent, expired, claimed }: Lot): boolean {
  const isSum = remaining + spent + expired + claimed === granted;
  return isSum && remaining >= 0 && spent >= 0 && expired >= 0 && claimed >= 0;
}

const kindsThatGive = ['top_up', 'gift', 'refund', 'restore'];

/**
 * Each entry continues from the previous balance; only a claw-back leads to a negative balance.
 */
function wrongBalances({ accountId, entries }: WalletRows): string[] {
  const wrong: string[] = [];
  let before = { basicAfter: 0, presentAfter: 0 };
  for (const entry of entries) {
    const drawn = { basic: 0, present: 0 };
    for (const { lot, points } of entry.draws) {
      if (lot?.bucket === 'basic') drawn.basic += points;
      else if (lot?.bucket === 'present') drawn.present += points;
    }
    const isRight =
      entry.basicAfter === before.basicAfter + entry.basic &&
      entry.presentAfter === before.presentAfter + entry.present &&
      entry.presentAfter >= 0 &&
      (entry.basicAfter >= 0 || entry.basic >= 0 || entry.kind === 'claw_back') &&
      kindsThatGive.includes(entry.kind) === (entry.basic >= 0 && entry.present >= 0) &&
      notBelowZero(entry.basicAfter) - notBelowZero(before.basicAfter) === drawn.basic &&
      entry.present === drawn.present;
    if (!isRight) {
      wrong.push(
        `entry ${entry.seq} of wallet ${accountId}, a ${entry.kind} of ${entry.basic} and ` +
          `${entry.present}: from ${before.basicAfter} and ${before.presentAfter} to ` +
          `${entry.basicAfter} and ${entry.presentAfter}`,
      );
    }
    before = entry;
  }
  return wrong;
}

function notBelowZero(points: number): number {
  return Math.max(0, points);
}

/**
 * Each entry contains the hash of the previous one, from the account id up to the wallet's head,
 * and its draws are those that were hashed. That a hash matches its own line is a check constraint.
 */
function brokenChain({ accountId, wallet, entries, strays }: WalletRows): string[] {
  const wrong: string[] = [];
  let [seq, hash] = [0, createHash('sha256').update(accountId).digest('hex')];
  for (const entry of entries) {
    const isLinked = entry.seq === seq + 1 && entry.prevHash === hash && isAsHashed(entry);
    if (!isLinked) wrong.push(`entry ${entry.seq} of wallet ${accountId} is not what was hashed`);
    [seq, hash] = [entry.seq, entry.hash];
  }
  if (wallet !== undefined && (wallet.seq !== entries.length || wallet.head !== hash)) {
    wrong.push(`wallet ${accountId} ends with another hash than its statement`);
  }
  for (const { position, seq: of } of strays) {
    wrong.push(`draw ${position} of entry ${of} of wallet ${accountId} is of no entry`);
  }
  return wrong;
}

function isAsHashed({ line, draws }: Entry): boolean {
  return line === draws.map(({ lotId, points }) => `${lotId}:${points}`).join();
}
