import * as z from 'zod/mini';
import { EncryptedData, HumanProof } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { NewPassword } from './passwords.ts';

// What an owner changes while signed in. Each change asks for the password of the account, and where it has none
// for what `StepUpNeeded` says.

const Sealed = z.strictObject({ ...EncryptedData.shape, proof: z._default(HumanProof, null) });

/** As the player typed it; null where the account has none. */
const CurrentPassword = z.nullable(z.string().check(z.minLength(1), z.maxLength(128)));

const ownRefusals = [
  'HumanProofNeeded',
  'InvalidPassword',
  'SignInThrottled',
  'StepUpNeeded',
] as const;

/** What a new password encrypts. */
export const PasswordChange = z.strictObject({ current: CurrentPassword, password: NewPassword });

export const ownSecurity = endpoint({
  method: 'POST',
  path: '/api/user/security',
  summary: 'How the account is signed in to, as its owner may change it',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({
    hasPassword: z.boolean(),
    /** Not where the account has no name, mail address or phone to type a password with. */
    canHavePassword: z.boolean(),
  }),
  refusals: [],
});
export type OwnSecurity = z.output<typeof ownSecurity.reply>;

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/user/psw/change',
  summary:
    'Sets another password while signed in. All other sessions of the account end, and this one gets a new cookie',
  access: 'player',
  body: Sealed,
  reply: z.strictObject({}),
  refusals: [...ownRefusals, 'PasswordFormatMismatch', 'PasswordKnown'],
});
