import { derivedId } from '../../platform/ids.ts';
import { type Bucket, type Lot, type Movement, newLot, settledOf } from './lots.ts';

/** What a top-up has granted and still stands for. */
export interface TopUp {
  originId: string;
  basicGranted: bigint;
  presentGranted: bigint;
  basicKept: bigint;
  presentKept: bigint;
  /** Of the present it no longer stands for: what was still there and was taken. */
  presentClaimed: bigint;
  /** And what was spent by then, and so is owed in basic. The rest had expired. */
  presentOwed: bigint;
}

export interface Kept {
  basic: bigint;
  present: bigint;
}

/** Makes a lot in each bucket. Basic points settle a debt before anything is left of them. */
export function grant(
  wallet: { basic: bigint; at: Date },
  topUp: { originId: string; basic: bigint; present: bigint; presentExpiresAt: Date | null },
): Movement {
  const { originId, basic, present, presentExpiresAt } = topUp;
  const lotOf = (bucket: Bucket, granted: bigint, expiresAt: Date | null): Lot => {
    const lotId = derivedId('lot', originId, bucket);
    const claimed = bucket === 'basic' ? settledOf(granted, wallet.basic) : 0n;
    const lot = { lotId, bucket, originId, expiresAt, createdAt: wallet.at, isFrozen: false };
    return newLot(lot, { granted, claimed });
  };
  const lots = [lotOf('basic', basic, null), lotOf('present', present, presentExpiresAt)];
  return {
    basicChange: basic,
    presentChange: present,
    lots: lots.filter(({ granted }) => granted !== 0n),
  };
}

/** Which way the top-up goes; undefined when that is no step it can take. */
export function wayOf(topUp: TopUp, kept: Kept): 'claw_back' | 'restore' | undefined {
  const { basicGranted, basicKept, presentGranted, presentKept } = topUp;
  if (kept.basic < 0n || kept.present < 0n) return undefined;
  if (kept.basic > basicGranted || kept.present > presentGranted) return undefined;
  if (kept.basic <= basicKept && kept.present <= presentKept) return 'claw_back';
  return kept.basic >= basicKept && kept.present >= presentKept ? 'restore' : undefined;
}
