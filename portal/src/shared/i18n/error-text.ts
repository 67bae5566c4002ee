import type { TFunction } from 'i18next';
import shell from '../../../public/locales/en-US/shell.json';
import { ApiError, unexplained } from '../api/api-error.ts';

/** Checks the bundled texts, so that the code list of the contract need not be bundled. */
function hasWords(code: string | number): code is keyof typeof shell.errors {
  return Object.hasOwn(shell.errors, code);
}

/** The text of an error: by its code, else the message of the server, else a general text. */
export function errorText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.InternalError');
  if (hasWords(error.code)) return t(`errors.${error.code}`);
  if (error.code === unexplained) return t('global.error.fetch');
  return error.message || t('errors.InternalError');
}
