import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { pointBalance } from '@pointgate/contract/points.ts';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

export interface PointBalance {
  /** The sum of bought and bonus E Points; negative in case of a debt. */
  total: number;
  bought: number;
  given: number;
  /** On hold because of a payment dispute. */
  frozen: number;
  /** The debt after a refunded top-up. It blocks spending until the next top-up settles it. */
  debt: number;
  spendable: number;
}

/** The key of all balance queries, which are refetched after every change of E Points. */
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
