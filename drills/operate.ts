import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorCodes } from '@pointgate/contract/errors.ts';
import { pause } from './pause.ts';
import type { Shop } from './shop.ts';

/** A refund that an operator requests; all that is left if no amount is given. */
export interface RefundRequest {
  paymentId: string;
  refundId: string;
  amountMinor: bigint | null;
}

export function newRefundRequest(paymentId: string, amountMinor: bigint | null): RefundRequest {
  return { paymentId, refundId: randomUUID(), amountMinor };
}

/** Runs an operator command as a process of its own; throws its error output. */
export async function operate({ stack }: Shop, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [operatorProgram, ...args, '--by', 'drill'],
    { env: stack.serverEnv },
  );
  return stdout;
}

type Answer = 'accepted' | 'too large' | { unclear: string };

const triesMax = 60;

export const operatorProgram = fileURLToPath(new URL('../server/src/operate.ts', import.meta.url));

/**
 * Requests a refund as operators do, by a process of its own, and repeats the identical request
 * until there is a clear answer.
 */
export async function requestRefund(
  shop: Shop,
  request: RefundRequest,
): Promise<'accepted' | 'too large'> {
  for (let tries = 1; ; tries += 1) {
    const answer = await requestOnce(shop, request);
    if (typeof answer === 'string') return answer;
    if (tries === triesMax) throw new Error(`No clear answer to a refund: ${answer.unclear}`);
    await pause(300);
  }
}

async function requestOnce(shop: Shop, request: RefundRequest): Promise<Answer> {
  const { paymentId, refundId, amountMinor } = request;
  const amount = amountMinor === null ? [] : ['--amount', String(amountMinor)];
  const args = ['--by', 'drill', '--reason', 'operator', '--refund-id', refundId, ...amount];
  return await new Promise((resolve) => {
    const env = shop.stack.serverEnv;
    execFile(
      process.execPath,
      [operatorProgram, 'refund', paymentId, ...args],
      { env },
      (error, _, stderr) => resolve(answerOf(error !== null, stderr)),
    );
  });
}

function answerOf(hasFailed: boolean, stderr: string): Answer {
  if (!hasFailed) return 'accepted';
  if (stderr.includes(errorCodes.RefundTooLarge.meaning)) return 'too large';
  return { unclear: stderr };
}
