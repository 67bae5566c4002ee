import type { TFunction } from 'i18next';
import { ApiError } from '../api/api-error.ts';
import { errorText } from '../i18n/error-text.ts';

/** Why it did not work, in the player's words: by the shop, by the device or by the player. */
export function passkeyProblem(t: TFunction, error: unknown): string {
  if (error instanceof ApiError) return errorText(t, error);
  const name = error instanceof Error ? error.name : '';
  // Browsers do not tell a refusal from a wait that was too long, so that no page can find out.
  if (name === 'NotAllowedError' || name === 'AbortError') return t('passkeys.problem.cancelled');
  if (name === 'InvalidStateError') return t('passkeys.problem.here');
  return t('passkeys.problem.device');
}
