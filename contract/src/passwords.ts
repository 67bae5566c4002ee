import * as z from 'zod/mini';
import { EmailAddress, EncryptedData, HumanProof, MessageCode, PhoneNumber } from './accounts.ts';
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

/** Longer than the rule above allows, so that a password that is too long gets its own refusal. */
export const NewPassword = z.string().check(z.minLength(1), z.maxLength(128));

const Token = z.string().check(z.regex(/^[\w-]{43}$/));

/** The encrypted payload of a password reset by mail. */
export const EmailPasswordReset = z.strictObject({
  email: EmailAddress,
  code: MessageCode,
  password: NewPassword,
});

/** The encrypted payload of a password reset by text message. */
export const PhonePasswordReset = z.strictObject({
  phone: PhoneNumber,
  code: MessageCode,
  password: NewPassword,
});

/** The encrypted payload of a password reset with a recovery code. */
export const RecoveryPasswordReset = z.strictObject({
  /** A login name, a mail address or a phone number. */
  account: z.string().check(z.minLength(1), z.maxLength(254)),
  /** As the player typed it. */
  code: z.string().check(z.minLength(1), z.maxLength(64)),
  password: NewPassword,
});

/**
 * Passkeys of the account that may belong to somebody else, and a token for reviewing them after a
 * reset.
 */
export const PasskeyReview = z.nullable(
  z.strictObject({
    token: Token,
    passkeys: z.array(
      z.strictObject({
        passkeyId: z.uuid(),
        name: z.string(),
        siteTitle: z.string(),
        createdAt: z.iso.datetime(),
        lastUsedAt: z.nullable(z.iso.datetime()),
      }),
    ),
  }),
);
export type PasskeyReview = z.output<typeof PasskeyReview>;

export const resetPasswordByEmail = endpoint({
  method: 'POST',
  path: '/api/user/email/psw/reset',
  summary: 'Sets a new password with a mailed code and ends all sessions of the account',
  access: 'public',
  body: EncryptedData,
  reply: z.strictObject({ review: PasskeyReview }),
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
  reply: z.strictObject({ review: PasskeyReview }),
  refusals: [
    'ForeignOrigin',
    'InvalidMobileCode',
    'PasswordFormatMismatch',
    'PasswordKnown',
    'SignInThrottled',
  ],
});

export const resetPasswordByRecoveryCode = endpoint({
  method: 'POST',
  path: '/api/user/recovery-code/psw/reset',
  summary: 'Sets a new password with a recovery code and ends all sessions of the account',
  access: 'public',
  body: z.strictObject({ ...EncryptedData.shape, proof: z._default(HumanProof, null) }),
  reply: z.strictObject({ review: PasskeyReview }),
  refusals: [
    'ForeignOrigin',
    'HumanProofNeeded',
    'InvalidRecoveryCode',
    'PasswordFormatMismatch',
    'PasswordKnown',
    'SignInThrottled',
  ],
});

export const reviewPasskeys = endpoint({
  method: 'POST',
  path: '/api/user/psw/reset/passkeys',
  summary:
    'Removes passkeys that somebody else added, right after a new password by code; the others are kept. Works once',
  access: 'public',
  body: z.strictObject({ token: Token, remove: z.array(z.uuid()).check(z.maxLength(100)) }),
  reply: z.strictObject({}),
  refusals: ['ForeignOrigin', 'ReviewExpired'],
});
