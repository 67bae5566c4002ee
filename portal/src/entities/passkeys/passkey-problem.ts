import type { TFunction } from 'i18next';
import { ApiError } from '../../shared/api/api-error.ts';
import { errorText } from '../../shared/i18n/error-text.ts';

/** The text of a passkey error, caused by the server, the device or the player. */
export function passkeyProblem(t: TFunction, error: unknown): string {
  if (error instanceof ApiError) return errorText(t, error);
  const name = error instanceof Error ? error.name : '';
  // For privacy, browsers report a cancellation and a timeout as the same error.
  if (name === 'NotAllowedError' || name === 'AbortError') return t('passkeys.problem.cancelled');
  if (name === 'InvalidStateError') return t('passkeys.problem.here');
  return t('passkeys.problem.device');
}
