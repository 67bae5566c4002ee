import { type PhoneCodeRequest, sendEmailCode, sendPhoneCode } from '@pointgate/contract/codes.ts';
import type { BodyOf, ReplyOf } from '@pointgate/contract/endpoint.ts';
import { call } from '../../shared/api/client.ts';
import { seal } from './seal.ts';
import { withHumanProof } from './with-human-proof.ts';

/** Recipient and purpose of a code; `null` while the recipient is invalid. */
export type CodeRequest =
  | Omit<PhoneCodeRequest, 'proof'>
  | Omit<BodyOf<typeof sendEmailCode>, 'proof'>;

type CodeSent = ReplyOf<typeof sendPhoneCode>;

/** Sends a code, with a proof of work if the server requires one. */
export async function sendCode(request: CodeRequest): Promise<CodeSent> {
  return await withHumanProof((proof) => sendWith(request, proof));
}

async function sendWith(request: CodeRequest, proof: string | null): Promise<CodeSent> {
  if ('email' in request) return await call(sendEmailCode, { ...request, proof });
  return await call(sendPhoneCode, await seal({ ...request, proof }, sendPhoneCode));
}

/** Mainland China has its own message provider and its own limits. */
export function signInPurpose(phone: string): 'phone_internal' | 'phone_foreign' {
  return phone.startsWith('+86') ? 'phone_internal' : 'phone_foreign';
}
