import type { Credentials, CredentialsOf } from '@pointgate/contract/credentials.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import type { CallSite } from '../../platform/http.ts';
import { selectIdentity } from './accounts.queries.ts';
import { beginRealNameWait } from './accounts.ts';
import type { Addresses } from './addresses.ts';
import type { Codes } from './codes.ts';
import type { IdentityKey, IdentityKeyOf } from './identity-keys.ts';
import type { PasswordCheck } from './password-check.ts';
import { signInPurposeOf } from './phones.ts';
import { replaceForeignHash } from './replace-hash.ts';
import type { Place, SignInGuard } from './sign-in-guard.ts';

type MethodName = Credentials['method'];

export interface SignInInput<Method extends MethodName = MethodName> extends Place {
  credentials: CredentialsOf<Method>;
  /** The solved challenge, if the browser was asked for one. */
  proof: string | null;
  /**
   * Marks the encrypted body as used. Nothing is written before, so an early refusal leaves no row.
   */
  consume: () => Promise<void>;
  site: CallSite;
  locale: Locale;
  /** The secret of a browser that started a provider sign-in or requested a code. */
  browser: string | undefined;
}

interface Proven {
  accountId: string;
  /**
   * Throws if password or address have changed since. Called in the transaction that starts the
   * session, where they cannot change any more.
   */
  requireStill?: (tx: Tx) => Promise<void>;
}

/** Verifies credentials and answers their account, or throws. It starts no session. */
type SignInMethod<Method extends MethodName = MethodName> = (
  input: SignInInput<Method>,
) => Promise<Proven>;

/** A method that is missing here is refused as not offered. */
export type SignInMethods = { [Method in MethodName]?: SignInMethod<Method> };

export async function proveIdentity<Method extends MethodName>(
  methods: SignInMethods,
  name: Method,
  input: SignInInput<Method>,
): Promise<Proven> {
  const method = methods[name];
  if (method === undefined) throw new AppError('LoginMethodNotOffered');
  return await method(input);
}

export interface SignInParts {
  db: Db;
  codes: Codes;
  guard: SignInGuard;
  identityKeyOf: IdentityKeyOf;
  addresses: Addresses;
  checkPassword: PasswordCheck;
}

/** The sign-in methods with typed credentials. */
export function typedSignIns(parts: SignInParts): SignInMethods {
  const withPassword =
    <Method extends MethodName>(read: (credentials: CredentialsOf<Method>) => PasswordAttempt) =>
    (input: SignInInput<Method>) =>
      signInWithPassword(parts, { ...input, ...read(input.credentials) });
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
  { db, guard, identityKeyOf, addresses, checkPassword }: SignInParts,
  input: PasswordAttempt & Pick<SignInInput, 'network' | 'device' | 'proof' | 'consume' | 'locale'>,
): Promise<Proven> {
  const { accountType, subject, network, device, notFound } = input;
  const key = identityKeyOf({ accountType, subject });
  const identity = await selectIdentity(db, key);
  const accountId = identity?.account_id;
  const passwordHash = identity?.password_hash;
  const name = `${accountType}:${key.subject}`;
  const isProven = await checkPassword({ ...input, name, accountId, passwordHash });
  if (accountId === undefined) throw new AppError(notFound);
  if (!isProven || typeof passwordHash !== 'string') throw new AppError('InvalidPassword');
  const { password } = input;
  const stored = await replaceForeignHash(db, { accountId, key, passwordHash, password });
  if (stored === undefined) throw new AppError('InvalidPassword');
  if (accountType !== 'ACCOUNT') {
    const { locale } = input;
    await addresses.keep(db, { accountId, accountType, subject, locale, by: 'password' });
  }
  await guard.succeeded({ accountId, network, device });
  return {
    accountId,
    requireStill: async (tx) => {
      const now = await selectIdentity(tx, key);
      const isSame = now?.account_id === accountId && now.password_hash === stored;
      if (!isSame) throw new AppError('InvalidPassword');
    },
  };
}

async function signInWithCode(
  { db, guard, codes, identityKeyOf, addresses }: SignInParts,
  input: SignInInput<'MOBILE_AUTH'>,
): Promise<Proven> {
  const { network, device, browser, consume } = input;
  const { phone, code } = input.credentials;
  const key = identityKeyOf({ accountType: 'MOBILE', subject: phone });
  const identity = await selectIdentity(db, key);
  const accountId = identity?.account_id;
  const admission = await guard.admitCode({ accountId, network, device });
  await consume();
  const purpose = signInPurposeOf(phone);
  const isRight = await db.transaction(async (tx) => {
    const isUsed = await codes.use(tx, { purpose, to: phone, code, browser });
    // A new owner of the phone number signs in at an unknown place, unlike a regular player.
    const isNewPlace = isUsed && !admission.isKnown;
    if (isNewPlace && accountId !== undefined) await beginRealNameWait(tx, accountId);
    return isUsed;
  });
  if (accountId !== undefined && isRight) {
    const proven = { accountId, accountType: 'MOBILE', subject: phone } as const;
    await addresses.keep(db, { ...proven, locale: input.locale, by: 'code' });
    await guard.succeeded({ accountId, network, device });
    return { accountId, requireStill: (tx) => requireOwner(tx, { key, accountId }) };
  }
  await guard.failed(admission);
  throw new AppError(accountId === undefined ? 'MobileAccountNotFound' : 'InvalidMobileCode');
}

async function requireOwner(
  tx: Tx,
  { key, accountId }: { key: IdentityKey; accountId: string },
): Promise<void> {
  const identity = await selectIdentity(tx, key);
  if (identity?.account_id !== accountId) throw new AppError('MobileAccountNotFound');
}
