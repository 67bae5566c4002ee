import type { LoginMethod } from '@pointgate/contract/accounts.ts';
import type { ProviderMethod } from '@pointgate/contract/sign-in-providers.ts';
import { type Place, providers } from './sign-in-providers.tsx';

// In the order of the page.
const typedMethods = [
  'LOGIN_NAME_PASSWD_AUTH',
  'EMAIL_PASSWORD_AUTH',
  'MOBILE_PASSWORD_AUTH',
  'MOBILE_AUTH',
] as const satisfies LoginMethod[];

/** A method with a form. */
export type TypedMethod = (typeof typedMethods)[number];

export interface OfferedSignInMethods {
  typed: TypedMethod[];
  /** Methods that redirect to the page of a provider. */
  providers: ProviderMethod[];
}

// as: the keys of a record of these methods
const shownProviders = Object.keys(providers) as ProviderMethod[];

/** The methods of the site, without those that fail in this environment. */
export function offeredSignInMethods(
  offered: readonly LoginMethod[],
  place: Place,
): OfferedSignInMethods {
  return {
    typed: typedMethods.filter((method) => offered.includes(method)),
    providers: shownProviders.filter(
      (method) => offered.includes(method) && providers[method].worksIn(place),
    ),
  };
}
