import type { Tx } from '../../platform/db.ts';
import { insertStep, selectStep } from './points.queries.ts';
import { grant } from './top-up.ts';
import { type LockedWallet, postEntry } from './wallet.ts';

/** A credit to a wallet; its kind names both the first step and the entry. */
interface Grant {
  kind: 'top_up' | 'gift';
  originId: string;
  basic: bigint;
  present: bigint;
  presentExpiresAt: Date | null;
}

/** Credits points once per origin. The same origin with different points throws. */
export async function postGrant(tx: Tx, wallet: LockedWallet, granted: Grant): Promise<void> {
  const { accountId, at } = wallet;
  const { kind, originId, basic, present } = granted;
  const known = await selectStep(tx, { accountId, originId, posting: kind });
  if (known !== undefined) {
    const isSame = known.basicGranted === basic && known.presentGranted === present;
    if (!isSame) throw new Error(`${kind} ${originId} was granted differently`);
    return;
  }
  const movement = grant(wallet, granted);
  await postEntry(tx, wallet, { originId, posting: kind, kind, movement });
  await insertStep(tx, {
    accountId,
    originId,
    step: 1,
    posting: kind,
    basicGranted: basic,
    presentGranted: present,
    basicKept: basic,
    presentKept: present,
    presentClaimed: 0n,
    presentOwed: 0n,
    at,
  });
}
