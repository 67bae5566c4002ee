import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { pointBalance } from '@pointgate/contract/points.ts';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export interface PointBalance {
  /** Bought and given together; below nothing while there is a debt. */
  total: number;
  bought: number;
  given: number;
  /** Held back while a payment is disputed. */
  frozen: number;
  /** What a refunded top-up left open. The next top-up settles it, and until then nothing is spent. */
  debt: number;
  spendable: number;
}

/** Every balance there is; to be read again whenever points have moved. */
export const pointsKey = ['points'] as const;

export const pointBalanceQuery = (gameAccountId: string | null) =>
  queryOptions({
    queryKey: [...pointsKey, gameAccountId],
    queryFn: gameAccountId === null ? skipToken : () => readBalance(gameAccountId),
    staleTime: 5_000,
  });

async function readBalance(userId: string): Promise<PointBalance> {
  try {
    return toBalance(await call(pointBalance, { userId }));
  } catch (error) {
    console.error('The E Point balance cannot be read.', error);
    throw error;
  }
}

function toBalance(reply: ReplyOf<typeof pointBalance>): PointBalance {
  const { basicNum, presentNum, frozenNum } = reply;
  const total = basicNum + presentNum;
  const debt = Math.max(0, -basicNum);
  return {
    total,
    bought: basicNum,
    given: presentNum,
    frozen: frozenNum,
    debt,
    spendable: debt > 0 ? 0 : Math.max(0, total - frozenNum),
  };
}
