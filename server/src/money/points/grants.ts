import type { Tx } from '../../platform/db.ts';
import { insertStep, selectStep } from './points.queries.ts';
import { grant } from './top-up.ts';
import { type HeldWallet, postEntry } from './wallet.ts';

/** What came to a wallet, and why; its kind names the first step as well as the entry. */
interface Grant {
  kind: 'top_up' | 'gift';
  originId: string;
  basic: bigint;
  present: bigint;
  presentExpiresAt: Date | null;
}

/** Puts points into a wallet, once per origin. The same origin with other points is stopped. */
export async function postGrant(tx: Tx, wallet: HeldWallet, granted: Grant): Promise<void> {
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
