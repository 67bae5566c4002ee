import type { Credentials } from '@pointgate/contract/credentials.ts';
import { isReturningTo } from '@pointgate/contract/sign-in-providers.ts';
import type { Arrival } from '../../entities/session/arrival.ts';
import type { StartedSignIn } from '../../entities/session/started-sign-in.ts';

/**
 * Accepts a provider callback only if this tab started the sign-in. Otherwise an attacker could
 * sign a player in to the attacker's account by a link (login CSRF).
 */
export function returnedCredentials(
  { code, state }: Arrival,
  started: StartedSignIn | null,
): Credentials | null {
  if (code === null || state === null || started?.state !== state) return null;
  const { method } = started;
  // Posted to the server, never to a page.
  if (isReturningTo(method, 'form')) return null;
  return isReturningTo(method, 'start')
    ? { method, type: 'WeChat', code, state }
    : { method, code, state };
}
