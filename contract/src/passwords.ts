import * as z from 'zod/mini';
import { EmailAddress, EncryptedData, MessageCode, PhoneNumber } from './accounts.ts';
import { endpoint } from './endpoint.ts';

export const passwordLengthMin = 6;
export const passwordLengthMax = 16;

/** 6 to 16 characters and at least two of digits, letters and special characters. */
export function isPasswordWellFormed(password: string): boolean {
  const { length } = [...password];
  if (length < passwordLengthMin || length > passwordLengthMax) return false;
  const kinds = [/\p{Nd}/u, /\p{L}/u, /[^\p{Nd}\p{L}]/u];
  return kinds.filter((kind) => kind.test(password)).length >= 2;
}

/** What is too long for a password is refused by the rule above, with words of its own. */
const NewPassword = z.string().check(z.minLength(1), z.maxLength(128));

/** What a new password by mail encrypts. */
export const EmailPasswordReset = z.strictObject({
  email: EmailAddress,
  code: MessageCode,
  password: NewPassword,
});

/** What a new password by text message encrypts. */
export const PhonePasswordReset = z.strictObject({
  phone: PhoneNumber,
  code: MessageCode,
  password: NewPassword,
});

export const resetPasswordByEmail = endpoint({
  method: 'POST',
  path: '/api/user/email/psw/reset',
  summary: 'Sets a new password with a mailed code and ends all sessions of the account',
  access: 'public',
  body: EncryptedData,
  reply: z.strictObject({}),
  refusals: [
    'ForeignOrigin',
    'InvalidEmailCode',
    'PasswordFormatMismatch',
    'PasswordKnown',
    'SignInThrottled',
  ],
});

export const resetPasswordByPhone = endpoint({
  method: 'POST',
  path: '/api/user/phone/psw/reset',
  summary: 'Sets a new password with a texted code and ends all sessions of the account',
  access: 'public',
  body: EncryptedData,
  reply: z.strictObject({}),
  refusals: [
    'ForeignOrigin',
    'InvalidMobileCode',
    'PasswordFormatMismatch',
    'PasswordKnown',
    'SignInThrottled',
  ],
});
