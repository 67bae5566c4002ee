import type { Credentials } from '@pointgate/contract/credentials.ts';
import type { Arrival } from '../session/arrival.ts';
import type { StartedSignIn } from '../session/started-sign-in.ts';

/**
 * What a provider's answer is worth: nothing, unless this very tab asked for it. Otherwise anybody
 * could sign a player in to an account of their own by a link.
 */
export function returnedCredentials(
  { code, state }: Arrival,
  started: StartedSignIn | null,
): Credentials | null {
  if (code === null || state === null || started?.state !== state) return null;
  const { method } = started;
  // Apple answers the server, never a page.
  if (method === 'APPLE_SIGN_IN_AUTH') return null;
  return method === 'WECHAT_AUTH'
    ? { method, type: 'WeChat', code, state }
    : { method, code, state };
}
