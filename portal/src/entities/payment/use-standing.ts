import type { PointBalance } from '../session/point-balance.ts';
import { usePointBalance } from '../session/use-point-balance.ts';

/** Whether the known balance covers a price; the server decides. */
export type Standing =
  | { kind: 'unknown'; balance: null }
  | { kind: 'enough' | 'short' | 'debt'; balance: PointBalance };

export function useStanding(points: bigint): Standing {
  const { data: balance } = usePointBalance();
  if (balance === undefined) return { kind: 'unknown', balance: null };
  if (balance.debt > 0) return { kind: 'debt', balance };
  return { kind: points <= BigInt(balance.spendable) ? 'enough' : 'short', balance };
}
