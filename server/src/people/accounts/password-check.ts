import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { insertUsedProof } from './codes.queries.ts';
import { openHashSlots } from './hash-slots.ts';
import type { HumanProofs } from './human-proof.ts';
import type { isRightPassword } from './passwords.ts';
import type { Place, SignInGuard } from './sign-in-guard.ts';

/** A password that somebody has typed, and whose it would have to be. */
export interface TypedPassword extends Place {
  /** What failures are counted for, beside the place. */
  name: string;
  accountId: string | undefined;
  passwordHash: string | null | undefined;
  password: string;
  /** The solved challenge, if the browser was asked for one. */
  proof: string | null;
  /** Uses up the encrypted body. Before that nothing is written: what is refused early leaves no row. */
  consume: () => Promise<void>;
}

/** Whether it is the right one. Counts what is wrong, and refuses who has guessed too often (ADR 062). */
export type PasswordCheck = (typed: TypedPassword) => Promise<boolean>;

// The hash runs on four threads. More at once would only wait there, and every one of them would have
// been let in before the others' failures were counted.
const hashesAtOnce = 4;
/** Two seconds' worth of hashes on two cores. */
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
    // Twice: first so that a flood neither writes nor queues up, then with all failures before it counted.
    const first = await guard.admit(attempt);
    if (first.needsProof) await takeProof(parts, proof);
    await consume();
    return await slots(first, async () => {
      const admission = await guard.admit(attempt);
      if (admission.needsProof && !first.needsProof) throw new AppError('HumanProofNeeded');
      const isTheirs = await isRight(passwordHash, password);
      if (!isTheirs) await guard.failed(admission);
      return isTheirs;
    });
  };
}

/** Refuses what is no proof of work, or was used before. */
export async function takeProof(
  { db, proofs }: { db: Db; proofs: HumanProofs },
  given: string | null,
): Promise<void> {
  const proof = given === null ? undefined : await proofs.check(given);
  const isFirst = proof !== undefined && (await db.transaction((tx) => insertUsedProof(tx, proof)));
  if (!isFirst) throw new AppError('HumanProofNeeded');
}
