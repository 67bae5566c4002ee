import type { ErrorCode } from '@pointgate/contract/errors.ts';
import type { MethodElsewhere } from '@pointgate/contract/sign-in.ts';
import type { OpenIdentity } from '../accounts/identity-keys.ts';

/** What is remembered of a player who is away at a provider. */
export interface Away {
  state: string;
  nonce: string;
  pkceVerifier: string;
  /** Where the provider sends the player back to. */
  redirectUri: string;
}

/** Somebody with whom players have accounts. */
export interface IdentityProvider {
  method: MethodElsewhere;
  accountType: OpenIdentity['accountType'];
  /** What to say of somebody the provider knows and we do not. */
  unknownCode: ErrorCode;
  /** The page to send the player to. */
  start(away: Away): Promise<URL>;
  /**
   * Trades the code for whom the provider says it is. Throws `AuthFail` for whatever is wrong with
   * it, and `SystemBusy` when the provider does not answer.
   */
  finish(returned: Away & { code: string }): Promise<{ subject: string }>;
}
