import type { Credentials, CredentialsOf } from '@pointgate/contract/credentials.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import type { CallSite } from '../platform/http.ts';
import { selectIdentity } from './accounts.queries.ts';
import type { Addresses } from './addresses.ts';
import { insertUsedProof } from './codes.queries.ts';
import type { Codes } from './codes.ts';
import { type HashSlots, openHashSlots } from './hash-slots.ts';
import type { HumanProofs } from './human-proof.ts';
import type { IdentityKeyOf } from './identity-keys.ts';
import type { isRightPassword } from './passwords.ts';
import { signInPurposeOf } from './phones.ts';
import type { Place, SignInGuard } from './sign-in-guard.ts';

type MethodName = Credentials['method'];

export interface SignInInput<Method extends MethodName = MethodName> extends Place {
  credentials: CredentialsOf<Method>;
  /** The solved challenge, if the browser was asked for one. */
  proof: string | null;
  /** Uses up the encrypted body. Before that nothing is written: what is refused early leaves no row. */
  consume: () => Promise<void>;
  site: CallSite;
  locale: Locale;
  /** The browser that left for a provider or asked for a code, if this is one. */
  browser: string | undefined;
}

/** Finds out whose credentials these are, or throws the refusal. It starts no session. */
type SignInMethod<Method extends MethodName = MethodName> = (
  input: SignInInput<Method>,
) => Promise<{ accountId: string }>;

/** A way in that nobody has put here is refused as not offered. */
export type SignInMethods = { [Method in MethodName]?: SignInMethod<Method> };

export async function proveIdentity<Method extends MethodName>(
  methods: SignInMethods,
  name: Method,
  input: SignInInput<Method>,
): Promise<{ accountId: string }> {
  const method = methods[name];
  if (method === undefined) throw new AppError('LoginMethodNotOffered');
  return await method(input);
}

export interface SignInParts {
  db: Db;
  codes: Codes;
  guard: SignInGuard;
  proofs: HumanProofs;
  identityKeyOf: IdentityKeyOf;
  addresses: Addresses;
  isRightPassword: typeof isRightPassword;
}

// The hash runs on four threads. More at once would only wait there, and every one of them would have
// been let in before the others' failures were counted.
const hashesAtOnce = 4;
/** Two seconds' worth of hashes on two cores. */
const strangersWaitingMax = 150;

/** The ways in that need nothing but what the player types. */
export function typedSignIns(parts: SignInParts): SignInMethods {
  const slots = openHashSlots({ atOnce: hashesAtOnce, strangersWaitingMax });
  const withPassword =
    <Method extends MethodName>(read: (credentials: CredentialsOf<Method>) => PasswordAttempt) =>
    (input: SignInInput<Method>) =>
      signInWithPassword(parts, slots, { ...input, ...read(input.credentials) });
  const withCode = (input: SignInInput<'MOBILE_AUTH'>) => signInWithCode(parts, input);
  return {
    LOGIN_NAME_PASSWD_AUTH: withPassword(({ loginName, password }) => ({
      accountType: 'ACCOUNT',
      subject: loginName,
      password,
      notFound: 'LoginNameAccountNotFound',
    })),
    EMAIL_PASSWORD_AUTH: withPassword(({ email, password }) => ({
      accountType: 'EMAIL',
      subject: email,
      password,
      notFound: 'EmailAccountNotFound',
    })),
    MOBILE_PASSWORD_AUTH: withPassword(({ phone, password }) => ({
      accountType: 'MOBILE',
      subject: phone,
      password,
      notFound: 'MobileAccountNotFound',
    })),
    MOBILE_AUTH: withCode,
  };
}

interface PasswordAttempt {
  accountType: 'ACCOUNT' | 'EMAIL' | 'MOBILE';
  subject: string;
  password: string;
  notFound: ErrorCode;
}

async function signInWithPassword(
  parts: SignInParts,
  slots: HashSlots,
  input: PasswordAttempt & Pick<SignInInput, 'network' | 'device' | 'proof' | 'consume' | 'locale'>,
): Promise<{ accountId: string }> {
  const { db, guard, identityKeyOf, isRightPassword: isRight } = parts;
  const { accountType, subject, password, network, device, notFound } = input;
  const key = identityKeyOf({ accountType, subject });
  const identity = await selectIdentity(db, key);
  const accountId = identity?.account_id;
  const attempt = { name: `${accountType}:${key.subject}`, accountId, network, device };
  // Twice: first so that a flood neither writes nor queues up, then with all failures before it counted.
  const first = await guard.admit(attempt);
  if (first.needsProof) await takeProof(parts, input.proof);
  await input.consume();
  const isProven = await slots(first, async () => {
    const admission = await guard.admit(attempt);
    if (admission.needsProof && !first.needsProof) throw new AppError('HumanProofNeeded');
    const isTheirs = await isRight(identity?.password_hash, password);
    if (!isTheirs) await guard.failed(admission);
    return isTheirs;
  });
  if (accountId === undefined) throw new AppError(notFound);
  if (!isProven) throw new AppError('InvalidPassword');
  if (accountType !== 'ACCOUNT') {
    const { locale } = input;
    await parts.addresses.keep(db, { accountId, accountType, subject, locale, by: 'password' });
  }
  await guard.succeeded({ accountId, network, device });
  return { accountId };
}

async function takeProof({ db, proofs }: SignInParts, given: string | null): Promise<void> {
  const proof = given === null ? undefined : await proofs.check(given);
  const isFirst = proof !== undefined && (await db.transaction((tx) => insertUsedProof(tx, proof)));
  if (!isFirst) throw new AppError('HumanProofNeeded');
}

async function signInWithCode(
  { db, guard, codes, identityKeyOf, addresses }: SignInParts,
  input: SignInInput<'MOBILE_AUTH'>,
): Promise<{ accountId: string }> {
  const { network, device, browser, consume } = input;
  const { phone, code } = input.credentials;
  const identity = await selectIdentity(
    db,
    identityKeyOf({ accountType: 'MOBILE', subject: phone }),
  );
  const accountId = identity?.account_id;
  const admission = await guard.admitCode({ accountId, network, device });
  await consume();
  const purpose = signInPurposeOf(phone);
  const isRight = await db.transaction((tx) =>
    codes.use(tx, { purpose, to: phone, code, browser }),
  );
  if (accountId !== undefined && isRight) {
    const proven = { accountId, accountType: 'MOBILE', subject: phone } as const;
    await addresses.keep(db, { ...proven, locale: input.locale, by: 'code' });
    await guard.succeeded({ accountId, network, device });
    return { accountId };
  }
  await guard.failed(admission);
  throw new AppError(accountId === undefined ? 'MobileAccountNotFound' : 'InvalidMobileCode');
}
