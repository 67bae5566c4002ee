import { openBlindIndex } from '../../platform/blind-index.ts';
import type { Db } from '../../platform/db.ts';
import { forgetOldLimits, openQuickLimits, type ReturnableLimits } from '../../platform/limits.ts';
import type { PersonCipher } from '../../platform/person-cipher.ts';
import { type Addresses, openAddresses } from './addresses.ts';
import { type CodeMessages, type Codes, openCodes } from './codes.ts';
import { type HumanProofs, openHumanProofs } from './human-proof.ts';
import { type IdentityKeyOf, openIdentityKeys } from './identity-keys.ts';
import { openPasswordCheck, type PasswordCheck } from './password-check.ts';
import { isRightPassword, type KnownPasswords, readKnownPasswords } from './passwords.ts';
import { openRecoveryHash, type RecoveryHash } from './recovery-codes.ts';
import { type SignInMethods, typedSignIns } from './sign-in.ts';
import { openSignInGuard, type SignInGuard } from './sign-in-guard.ts';

/** All checks of credentials, wired together once. */
export interface CredentialChecks {
  db: Db;
  codes: Codes;
  proofs: HumanProofs;
  guard: SignInGuard;
  identityKeyOf: IdentityKeyOf;
  addresses: Addresses;
  knownPasswords: KnownPasswords;
  quickLimits: ReturnableLimits;
  checkPassword: PasswordCheck;
  recoveryHash: RecoveryHash;
  /** Sign-in methods with typed credentials; methods of providers are added elsewhere. */
  methods: SignInMethods;
  forgetOld(): Promise<void>;
  close(): Promise<void>;
}

export async function openCredentialChecks(options: {
  db: Db;
  messages: CodeMessages;
  redisUrl: string | undefined;
  pepper: string;
  /** The key of the blind index of mail addresses and phone numbers. */
  indexKey: Buffer;
  /** Encrypts addresses; without it none is stored. */
  cipher: PersonCipher | null;
  countries: readonly string[];
  textsPerDayMax: number;
  textsUnansweredMax: number;
  knownPasswordsFile: string | undefined;
  now: () => number;
}): Promise<CredentialChecks> {
  const { db, now, pepper } = options;
  const proofs = openHumanProofs({ secret: pepper, now });
  const identityKeyOf = openIdentityKeys(options.indexKey);
  const blindIndex = openBlindIndex(options.indexKey);
  const guard = openSignInGuard({ db, now, blindIndex });
  const codes = openCodes({
    ...options,
    proofs,
    identityKeyOf,
    isKnownNetwork: guard.isKnownNetwork,
  });
  const addresses = openAddresses({ cipher: options.cipher, identityKeyOf });
  const quickLimits = openQuickLimits(options.redisUrl);
  const checkPassword = openPasswordCheck({ db, guard, proofs, isRightPassword });
  return {
    db,
    codes,
    proofs,
    guard,
    identityKeyOf,
    addresses,
    knownPasswords: await readKnownPasswords(options.knownPasswordsFile),
    quickLimits,
    checkPassword,
    recoveryHash: openRecoveryHash(blindIndex),
    methods: typedSignIns({ db, codes, guard, identityKeyOf, addresses, checkPassword }),
    forgetOld: async () => {
      await codes.forgetOld();
      await guard.forgetOld();
      await forgetOldLimits(db, new Date(now()));
    },
    close: async () => {
      await codes.settle();
      await quickLimits.close();
    },
  };
}
