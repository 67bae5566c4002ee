import type { ErrorCode } from './errors.ts';

interface SignInProvider {
  /** The type of the accounts that this method finds. */
  accountType: string;
  /** The refusal of a provider's user who has no account here. */
  notFound: ErrorCode;
  /**
   * Where the provider sends the player back to: a page of the portal for all such providers, the
   * page where the sign-in started, or with a form that is posted to the server.
   */
  returnsTo: 'page' | 'start' | 'form';
}

/** Identity providers by sign-in method. Names are stored, so they are never changed or reused. */
export const signInProviders = {
  FACEBOOK_AUTH: {
    accountType: 'FACEBOOK',
    notFound: 'FacebookAccountNotFound',
    returnsTo: 'page',
  },
  GOOGLE_PLAY_GAMES_AUTH: {
    accountType: 'GOOGLE_PLAY_GAME',
    notFound: 'GooglePGAccountNotFound',
    returnsTo: 'page',
  },
  APPLE_SIGN_IN_AUTH: {
    accountType: 'APPLE_SIGN_IN',
    notFound: 'AppleSignInAccountNotFound',
    returnsTo: 'form',
  },
  WECHAT_AUTH: {
    accountType: 'WECHAT',
    notFound: 'WechatAccountNotFound',
    returnsTo: 'start',
  },
} as const satisfies Record<string, SignInProvider>;

type Providers = typeof signInProviders;
export type ProviderMethod = keyof Providers;
type ReturnsTo = SignInProvider['returnsTo'];

/** The methods of the providers that return to the same place. */
export type MethodReturningTo<Place extends ReturnsTo> = {
  [Method in ProviderMethod]: Providers[Method]['returnsTo'] extends Place ? Method : never;
}[ProviderMethod];

// as: the keys of a constant without further fields
export const providerMethods = Object.keys(signInProviders) as ProviderMethod[];

export function isReturningTo<Place extends ReturnsTo>(
  method: ProviderMethod,
  place: Place,
): method is MethodReturningTo<Place> {
  return signInProviders[method].returnsTo === place;
}

export function methodsReturningTo<Place extends ReturnsTo>(
  place: Place,
): MethodReturningTo<Place>[] {
  return providerMethods.filter((method) => isReturningTo(method, place));
}
