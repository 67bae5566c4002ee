import * as z from 'zod/mini';
import { EmailAddress, EncryptedData, HumanProof, MessageCode, PhoneNumber } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { NewPassword } from './passwords.ts';

// Changes that an owner makes while signed in. Each requires the password of the account; without a
// password, `StepUpNeeded` says what is required.

const Sealed = z.strictObject({ ...EncryptedData.shape, proof: z._default(HumanProof, null) });

/** As the player typed it; null if the account has no password. */
const CurrentPassword = z.nullable(z.string().check(z.minLength(1), z.maxLength(128)));

const ownRefusals = [
  'HumanProofNeeded',
  'InvalidPassword',
  'SignInThrottled',
  'StepUpNeeded',
] as const;

/** A mail address or phone number to be linked to the account. */
const NewAddress = z.union([
  z.strictObject({ email: EmailAddress }),
  z.strictObject({ phone: PhoneNumber }),
]);

const AddressType = z.enum(['EMAIL', 'MOBILE']);

/** The encrypted payload of a request for a code to an address that is to be linked. */
export const AddressCodeRequest = z.strictObject({ address: NewAddress });

/** The encrypted payload of linking an address. */
export const AddressChange = z.strictObject({
  address: NewAddress,
  code: MessageCode,
  current: CurrentPassword,
});

/** The encrypted payload of unlinking an address. */
export const AddressRemoval = z.strictObject({
  accountType: AddressType,
  current: CurrentPassword,
});

/** An address that the account can sign in with. */
const OwnAddress = z.strictObject({
  /** Partly masked; null if the shop only has a hash of it. */
  masked: z.nullable(z.string()),
  /** False for the last address, which is needed to reset a forgotten password. */
  canBeRemoved: z.boolean(),
});

/** The number of recovery codes made at a time. */
export const recoveryCodesCount = 10;

/** The encrypted payload of making recovery codes. */
export const RecoveryCodesMaking = z.strictObject({ current: CurrentPassword });

/** The encrypted payload of setting a password. */
export const PasswordChange = z.strictObject({ current: CurrentPassword, password: NewPassword });

export const ownSecurity = endpoint({
  method: 'POST',
  path: '/api/user/security',
  summary: 'How the account is signed in to, as its owner may change it',
  access: 'player',
  body: z.strictObject({}),
  reply: z.strictObject({
    hasPassword: z.boolean(),
    /** False if the account has no name, mail address or phone number to use with a password. */
    canHavePassword: z.boolean(),
    email: z.nullable(OwnAddress),
    phone: z.nullable(OwnAddress),
    recoveryCodes: z.nullable(z.strictObject({ unused: z.int(), madeAt: z.iso.datetime() })),
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

export const sendAddressCode = endpoint({
  method: 'POST',
  path: '/api/user/address/code/send',
  summary:
    'Sends a code to a mail address or phone that is to be linked; the answer does not tell whose it is',
  access: 'player',
  body: Sealed,
  reply: z.strictObject({ nextInSeconds: z.int() }),
  refusals: ['AuthCodeSendTooFrequently', 'HumanProofNeeded'],
});

export const changeAddress = endpoint({
  method: 'POST',
  path: '/api/user/address/change',
  summary:
    'Links a mail address or phone with a code that was sent there, in place of the one there was',
  access: 'player',
  body: Sealed,
  reply: z.strictObject({}),
  refusals: [...ownRefusals, 'AddressTaken', 'InvalidEmailCode', 'InvalidMobileCode'],
});

export const removeAddress = endpoint({
  method: 'POST',
  path: '/api/user/address/remove',
  summary:
    'Takes the mail address or phone off the account, unless it is the last way back to it. Twice is once',
  access: 'player',
  body: Sealed,
  reply: z.strictObject({}),
  refusals: [...ownRefusals, 'LastWayBack'],
});

export const makeRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/recovery-code/make',
  summary:
    'Makes recovery codes, which are told this once. Those of before work no more. Each works once',
  access: 'player',
  body: Sealed,
  reply: z.strictObject({ codes: z.array(z.string()) }),
  refusals: ownRefusals,
});
