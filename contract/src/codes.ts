import * as z from 'zod/mini';
import { EmailAddress, EncryptedData, HumanProof, PhoneNumber } from './accounts.ts';
import { endpoint } from './endpoint.ts';

/**
 * `phone_internal` is +86 and `phone_foreign` any other country. `link_email` and `link_phone`
 * verify an address that is being linked to an account.
 */
export const codePurposes = [
  'phone_foreign',
  'phone_internal',
  'password_forget_email',
  'password_forget_phone',
  'link_email',
  'link_phone',
] as const;
export type CodePurpose = (typeof codePurposes)[number];

const CodeSent = z.strictObject({ nextInSeconds: z.int() });

/** The encrypted payload of a request for a code by text message. */
export const PhoneCodeRequest = z.strictObject({
  phone: PhoneNumber,
  purpose: z.enum(['phone_foreign', 'phone_internal', 'password_forget_phone']),
  proof: HumanProof,
});
export type PhoneCodeRequest = z.output<typeof PhoneCodeRequest>;

export const sendEmailCode = endpoint({
  method: 'POST',
  path: '/api/user/email/code/send',
  summary: 'Mails a code; the answer does not tell whether the address has an account',
  access: 'public',
  body: z.strictObject({
    email: EmailAddress,
    purpose: z.literal('password_forget_email'),
    proof: HumanProof,
  }),
  reply: CodeSent,
  refusals: ['AuthCodeSendTooFrequently', 'ForeignOrigin', 'HumanProofNeeded'],
});

export const sendPhoneCode = endpoint({
  method: 'POST',
  path: '/api/user/phone/code/send',
  summary: 'Texts a code; the answer does not tell whether the number has an account',
  access: 'public',
  body: EncryptedData,
  reply: CodeSent,
  refusals: ['AuthCodeSendTooFrequently', 'ForeignOrigin', 'HumanProofNeeded'],
});

export const humanChallenge = endpoint({
  method: 'GET',
  path: '/api/user/challenge',
  summary: 'A riddle that costs a browser about a second; its solution is a proof and works once',
  access: 'public',
  body: z.strictObject({}),
  reply: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal('PBKDF2/SHA-256'),
      nonce: z.string(),
      salt: z.string(),
      cost: z.int(),
      keyLength: z.int(),
      keyPrefix: z.string(),
      keySignature: z.string(),
      /** In seconds. */
      expiresAt: z.int(),
      data: z.strictObject({ purpose: z.literal('human') }),
    }),
    signature: z.string(),
  }),
  refusals: ['AuthCodeSendTooFrequently'],
});
