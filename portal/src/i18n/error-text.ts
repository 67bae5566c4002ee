import type { TFunction } from 'i18next';
import shell from '../../public/locales/en-US/shell.json';
import { ApiError, unexplained } from '../api/api-error.ts';

/** Every code has words. They are in the bundle, and the contract's list of codes need not be. */
function hasWords(code: string | number): code is keyof typeof shell.errors {
  return Object.hasOwn(shell.errors, code);
}

/** A failure in the player's words: by code, else what the server said, else that we do not know. */
export function errorText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.InternalError');
  if (hasWords(error.code)) return t(`errors.${error.code}`);
  if (error.code === unexplained) return t('global.error.fetch');
  return error.message || t('errors.InternalError');
}
