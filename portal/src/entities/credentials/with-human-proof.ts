import { humanChallenge } from '@pointgate/contract/codes.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { call } from '../../shared/api/client.ts';

/**
 * Makes a call. If the server requires a human proof, the browser computes a proof of work without
 * any action of the player and repeats the call.
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
