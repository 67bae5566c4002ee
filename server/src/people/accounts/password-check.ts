import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { log } from '../../platform/log.ts';
import { insertUsedProof } from './codes.queries.ts';
import { readHash } from './foreign-hashes.ts';
import { openHashSlots } from './hash-slots.ts';
import type { HumanProofs } from './human-proof.ts';
import type { isRightPassword } from './passwords.ts';
import type { Place, SignInGuard } from './sign-in-guard.ts';

/** A typed password and the account that it should belong to. */
export interface TypedPassword extends Place {
  /** The name that failures are counted for, in addition to the place. */
  name: string;
  accountId: string | undefined;
  passwordHash: string | null | undefined;
  password: string;
  /** The solved challenge, if the browser was asked for one. */
  proof: string | null;
  /**
   * Marks the encrypted body as used. Nothing is written before, so an early refusal leaves no row.
   */
  consume: () => Promise<void>;
}

/** Whether the password is right. Counts failures and throttles guesses (ADR 062). */
export type PasswordCheck = (typed: TypedPassword) => Promise<boolean>;

// The hash runs on four threads. More at once would only wait there, and would all be admitted
// before each other's failures are counted.
const hashesAtOnce = 4;
/** As many hashes as two cores compute in two seconds. */
const strangersWaitingMax = 150;

export function openPasswordCheck(parts: {
  db: Db;
  guard: SignInGuard;
  proofs: HumanProofs;
  isRightPassword: typeof isRightPassword;
}): PasswordCheck {
  const { guard, isRightPassword: isRight } = parts;
  const slots = openHashSlots({ atOnce: hashesAtOnce, strangersWaitingMax });
  return async ({ passwordHash, password, proof, consume, ...attempt }) => {
    // Checked twice: first to refuse a flood before it writes or queues, then with all earlier
    // failures counted.
    const first = await guard.admit(attempt);
    if (first.needsProof) await takeProof(parts, proof);
    await consume();
    return await slots(first, async () => {
      const admission = await guard.admit(attempt);
      if (admission.needsProof && !first.needsProof) throw new AppError('HumanProofNeeded');
      warnOfUnreadable({ ...attempt, passwordHash });
      const isTheirs = await isRight(passwordHash, password);
      if (!isTheirs) await guard.failed(admission);
      return isTheirs;
    });
  };
}

/** Such a hash refuses every password, and its player cannot know why. */
function warnOfUnreadable({
  accountId,
  passwordHash,
}: Pick<TypedPassword, 'accountId' | 'passwordHash'>): void {
  if (typeof passwordHash !== 'string') return;
  const problem = readHash(passwordHash);
  if (typeof problem === 'string') {
    log.error({ accountId, problem }, 'the stored password hash of an account cannot be read');
  }
}

/** Refuses an invalid or already used proof of work. */
export async function takeProof(
  { db, proofs }: { db: Db; proofs: HumanProofs },
  given: string | null,
): Promise<void> {
  const proof = given === null ? undefined : await proofs.check(given);
  const isFirst = proof !== undefined && (await db.transaction((tx) => insertUsedProof(tx, proof)));
  if (!isFirst) throw new AppError('HumanProofNeeded');
}
