import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { type QuickLimits, requireRowRoom } from '../../platform/limits.ts';
import { hashSecret, newSecret } from '../../platform/secrets.ts';
import { challengeIn, challengeMinutes } from './ceremony.ts';
import { insertChallenge, type Purpose, takeChallenge } from './passkeys.queries.ts';

interface Holder {
  purpose: Purpose;
  siteId: string;
  holderHash: Buffer;
}

/** `by` is the caller: an account, or the network of a caller without a session. */
export async function newChallenge(
  { db, quickLimits }: { db: Db; quickLimits: QuickLimits },
  { by, ...holder }: Holder & { by: string },
): Promise<string> {
  await requireRowRoom(quickLimits, { kind: 'passkey', by });
  const challenge = newSecret();
  await db.transaction((tx) =>
    insertChallenge(tx, {
      ...holder,
      challengeHash: hashSecret(challenge),
      minutes: challengeMinutes,
    }),
  );
  return challenge;
}

/** Used up in any case: a second attempt needs a new challenge. */
export async function consumeChallenge(
  db: Db,
  { clientDataJSON }: { clientDataJSON: string },
  holder: Holder,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) throw new AppError('PasskeyRefused');
  const key = { ...holder, challengeHash: hashSecret(challenge) };
  const isTheirs = await db.transaction((tx) => takeChallenge(tx, key));
  if (!isTheirs) throw new AppError('PasskeyRefused');
  return challenge;
}
