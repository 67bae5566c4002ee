import {
  humanChallenge,
  type PhoneCodeRequest,
  sendEmailCode,
  sendPhoneCode,
} from '@pointgate/contract/codes.ts';
import type { BodyOf, ReplyOf } from '@pointgate/contract/endpoint.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { seal } from './seal.ts';

/** Where a code goes and what for; `null` while the address is not one yet. */
export type CodeRequest =
  | Omit<PhoneCodeRequest, 'proof'>
  | Omit<BodyOf<typeof sendEmailCode>, 'proof'>;

type CodeSent = ReplyOf<typeof sendPhoneCode>;

/** Sends a code. If the shop wants to know that this is no machine, the browser proves it by work. */
export async function sendCode(request: CodeRequest): Promise<CodeSent> {
  try {
    return await sendWith(request, null);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'HumanProofNeeded') throw error;
    const [{ solveHumanProof }, challenge] = await Promise.all([
      import('./human-proof.ts'),
      call(humanChallenge, {}),
    ]);
    return await sendWith(request, await solveHumanProof(challenge));
  }
}

async function sendWith(request: CodeRequest, proof: string | null): Promise<CodeSent> {
  if ('email' in request) return await call(sendEmailCode, { ...request, proof });
  return await call(sendPhoneCode, await seal({ ...request, proof }, sendPhoneCode));
}

/** The mainland has its own way for messages, and its own limits. */
export function signInPurpose(phone: string): 'phone_internal' | 'phone_foreign' {
  return phone.startsWith('+86') ? 'phone_internal' : 'phone_foreign';
}
