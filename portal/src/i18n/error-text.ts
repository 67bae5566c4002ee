import type { TFunction } from 'i18next';
import { ApiError, isErrorCode, unexplained } from '../api/api-error.ts';

/** A failure in the player's words: by code, else what the server said, else that we do not know. */
export function errorText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.InternalError');
  if (isErrorCode(error.code)) return t(`errors.${error.code}`);
  if (error.code === unexplained) return t('global.error.fetch');
  return error.message || t('errors.InternalError');
}
