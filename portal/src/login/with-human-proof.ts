import { humanChallenge } from '@pointgate/contract/codes.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';

/**
 * Makes a call. If the shop wants to know that this is no machine, the browser proves it by work, which
 * nobody has to do anything for, and the call is made again.
 */
export async function withHumanProof<Reply>(
  makeCall: (proof: string | null) => Promise<Reply>,
  onProving: () => void = () => {},
): Promise<Reply> {
  try {
    return await makeCall(null);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'HumanProofNeeded') throw error;
    onProving();
    const [{ solveHumanProof }, challenge] = await Promise.all([
      import('./human-proof.ts'),
      call(humanChallenge, {}),
    ]);
    return await makeCall(await solveHumanProof(challenge));
  }
}
