import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { MethodElsewhere } from '@pointgate/contract/sign-in.ts';
import type { OpenIdentity } from '../accounts/identity-keys.ts';

/** The stored parameters of a provider sign-in in progress. */
export interface Away {
  state: string;
  nonce: string;
  pkceVerifier: string;
  /** The redirect URI of the sign-in. */
  redirectUri: string;
}

/** A sign-in provider. */
export interface IdentityProvider {
  method: MethodElsewhere;
  accountType: OpenIdentity['accountType'];
  /** The error code for a provider user without an account. */
  unknownCode: ErrorCode;
  /** The authorization URL. */
  start(away: Away): Promise<URL>;
  /**
   * Exchanges the code for the provider's user id. Throws `AuthFail` if verification fails, and
   * `SystemBusy` if the provider does not answer.
   */
  finish(returned: Away & { code: string }): Promise<{ subject: string }>;
}
