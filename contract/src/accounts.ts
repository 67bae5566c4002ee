import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { ForeignId } from './names.ts';
import { methodsReturningTo, providerMethods, signInProviders } from './sign-in-providers.ts';

const providers = Object.values(signInProviders);

/** Typed identities, and those of the providers. */
export const accountTypes = [
  ...(['MOBILE', 'EMAIL', 'ACCOUNT'] as const),
  ...providers.map(({ accountType }) => accountType),
];
export const AccountType = z.enum(accountTypes);

export const loginMethods = [
  ...([
    'MOBILE_AUTH',
    'MOBILE_PASSWORD_AUTH',
    'EMAIL_PASSWORD_AUTH',
    'LOGIN_NAME_PASSWD_AUTH',
  ] as const),
  ...providerMethods,
];
export const LoginMethod = z.enum(loginMethods);
export type LoginMethod = z.output<typeof LoginMethod>;

/** A compact JWE made for one call; each call defines its payload. */
export const EncryptedData = z.strictObject({
  data: z.string().check(z.regex(/^[\w-]+\.[\w-]*\.[\w-]+\.[\w-]+\.[\w-]+$/), z.maxLength(4096)),
});

/** A solved challenge as base64 of JSON; null until the shop asks for one. */
export const HumanProof = z.nullable(
  z.string().check(z.regex(/^[A-Za-z0-9+/=]+$/), z.maxLength(2048)),
);

/** With country code, as in `+8613800138000`. */
export const PhoneNumber = z.string().check(z.regex(/^\+[1-9]\d{6,14}$/));

export const EmailAddress = z.email().check(z.maxLength(254));

/** The six digits of a message. */
export const MessageCode = z.string().check(z.regex(/^\d{6}$/));

export const encryptionKeys = endpoint({
  method: 'GET',
  path: '/api/user/keys',
  summary: 'The public keys that `{data}` bodies are encrypted with, the current one first',
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
      }),
    ),
    /** Server time in seconds: an encrypted body older than five minutes is refused. */
    ts: z.int(),
  }),
  refusals: [],
});

export const SignedIn = z.strictObject({
  login: z.literal(true),
  accountId: z.uuid(),
  accountType: AccountType,
  displayName: z.string(),
  userId: z.string(),
  gameAccountId: z.nullable(ForeignId),
});
export type SignedIn = z.output<typeof SignedIn>;

export const login = endpoint({
  method: 'POST',
  path: '/api/user/login',
  summary: 'Signs a player in; an older session of the same account on this site ends',
  access: 'public',
  body: z.strictObject({ ...EncryptedData.shape, proof: z._default(HumanProof, null) }),
  reply: SignedIn,
  refusals: [
    'AccountSuspended',
    'AuthFail',
    'canNoEmailLogin',
    'EmailAccountNotFound',
    'ForeignOrigin',
    'GameAccountNotFound',
    'HumanProofNeeded',
    'InvalidMobileCode',
    'InvalidPassword',
    'LoginMethodNotOffered',
    'LoginNameAccountNotFound',
    'MobileAccountNotFound',
    'SignInThrottled',
    ...[...methodsReturningTo('page'), ...methodsReturningTo('start')].map(
      (method) => signInProviders[method].notFound,
    ),
  ],
});

export const userInfo = endpoint({
  method: 'POST',
  path: '/api/user/info',
  // With the header `x-token` it signs in first, see `arrivals.ts`.
  summary: 'Who is signed in. A session that was ended elsewhere answers 203, none at all does not',
  access: 'public',
  body: z.strictObject({}),
  reply: z.discriminatedUnion('login', [SignedIn, z.strictObject({ login: z.literal(false) })]),
  refusals: [
    'AccountLeaving',
    'AccountSuspended',
    'ArrivalRefused',
    'InvalidToken',
    'ForeignOrigin',
    'OtherAccount',
    'SignInThrottled',
  ],
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/user/logout',
  summary: 'Ends the session, if there is one',
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({}),
  refusals: ['ForeignOrigin'],
});
