import { derivedId } from '../../platform/ids.ts';
import { type Bucket, type Lot, type Movement, newLot, settledOf } from './lots.ts';

/** The points that a top-up has granted and those that are kept. */
export interface TopUp {
  originId: string;
  basicGranted: bigint;
  presentGranted: bigint;
  basicKept: bigint;
  presentKept: bigint;
  /** The present points taken back that were still in the lot. */
  presentClaimed: bigint;
  /** The present points taken back that were spent and are owed in basic. The rest had expired. */
  presentOwed: bigint;
}

export interface Kept {
  basic: bigint;
  present: bigint;
}

/** Creates a lot in each bucket. Basic points settle a debt first. */
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

/** The direction of a step; undefined if the step is not valid. */
export function wayOf(topUp: TopUp, kept: Kept): 'claw_back' | 'restore' | undefined {
  const { basicGranted, basicKept, presentGranted, presentKept } = topUp;
  if (kept.basic < 0n || kept.present < 0n) return undefined;
  if (kept.basic > basicGranted || kept.present > presentGranted) return undefined;
  if (kept.basic <= basicKept && kept.present <= presentKept) return 'claw_back';
  return kept.basic >= basicKept && kept.present >= presentKept ? 'restore' : undefined;
}
