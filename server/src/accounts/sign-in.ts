import type { Credentials, CredentialsOf } from '@pointgate/contract/credentials.ts';
import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import type { CallSite } from '../platform/http.ts';
import { selectIdentity } from './accounts.queries.ts';
import type { Addresses } from './addresses.ts';
import type { Codes } from './codes.ts';
import type { IdentityKeyOf } from './identity-keys.ts';
import type { isRightPassword } from './passwords.ts';
import { signInPurposeOf } from './phones.ts';
import type { SignInGuard } from './sign-in-guard.ts';

type MethodName = Credentials['method'];

export interface SignInInput<Method extends MethodName = MethodName> {
  credentials: CredentialsOf<Method>;
  /** Where the player is, as limits count it. */
  network: string;
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
  identityKeyOf: IdentityKeyOf;
  addresses: Addresses;
  isRightPassword: typeof isRightPassword;
}

/** The ways in that need nothing but what the player types. */
export function typedSignIns(parts: SignInParts): SignInMethods {
  // The hash runs on four threads. More at once would only wait there, and every one of them would
  // have been let in before the others' failures were counted.
  const oneOfFour = atMost(4);
  const withPassword =
    <Method extends MethodName>(read: (credentials: CredentialsOf<Method>) => PasswordAttempt) =>
    ({ credentials, network, locale }: SignInInput<Method>) =>
      signInWithPassword(parts, oneOfFour, { ...read(credentials), network, locale });
  const withCode = ({ credentials, ...input }: SignInInput<'MOBILE_AUTH'>) =>
    signInWithCode(parts, { ...credentials, ...input });
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
  { db, guard, identityKeyOf, addresses, isRightPassword: isRight }: SignInParts,
  oneOfFour: ReturnType<typeof atMost>,
  {
    accountType,
    subject,
    password,
    network,
    locale,
    notFound,
  }: PasswordAttempt & { network: string; locale: Locale },
): Promise<{ accountId: string }> {
  const key = identityKeyOf({ accountType, subject });
  const identity = await selectIdentity(db, key);
  const accountId = identity?.account_id;
  const attempt = { name: `${accountType}:${key.subject}`, accountId, network };
  // Twice: first so that a flood does not queue up, then with all failures before it counted.
  await guard.admit(attempt);
  const isProven = await oneOfFour(async () => {
    await guard.admit(attempt);
    const isTheirs = await isRight(identity?.password_hash, password);
    if (!isTheirs) await guard.failed(attempt);
    return isTheirs;
  });
  if (accountId === undefined) throw new AppError(notFound);
  if (!isProven) throw new AppError('InvalidPassword');
  if (accountType !== 'ACCOUNT') {
    await addresses.keep(db, { accountId, accountType, subject, locale, by: 'password' });
  }
  await guard.succeeded({ accountId, network });
  return { accountId };
}

async function signInWithCode(
  { db, guard, codes, identityKeyOf, addresses }: SignInParts,
  {
    phone,
    code,
    network,
    locale,
    browser,
  }: Pick<SignInInput, 'network' | 'locale' | 'browser'> & { phone: string; code: string },
): Promise<{ accountId: string }> {
  const identity = await selectIdentity(
    db,
    identityKeyOf({ accountType: 'MOBILE', subject: phone }),
  );
  const accountId = identity?.account_id;
  await guard.admitCode({ accountId, network });
  const purpose = signInPurposeOf(phone);
  const isRight = await db.transaction((tx) =>
    codes.use(tx, { purpose, to: phone, code, browser }),
  );
  if (accountId !== undefined && isRight) {
    const proven = { accountId, accountType: 'MOBILE', subject: phone } as const;
    await addresses.keep(db, { ...proven, locale, by: 'code' });
    await guard.succeeded({ accountId, network });
    return { accountId };
  }
  await guard.codeFailed({ accountId, network });
  throw new AppError(accountId === undefined ? 'MobileAccountNotFound' : 'InvalidMobileCode');
}

/** Lets so many run at once; the others wait for their turn. */
function atMost(max: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    // Whoever ends hands its place over, so nobody can slip in between.
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
