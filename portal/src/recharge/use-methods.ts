import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSiteConfig } from '../config/site-config.tsx';
import type { Goods } from './deal.ts';
import { methodsFor, type Pack } from './pack.ts';
import { methodsQuery } from './recharge-queries.ts';
import { useCurrency } from './use-currency.ts';

/** The shop may say a moment after a refusal that it takes the method again: the next one would hit it. */
const trustAfterMs = 20_000;
const askAgainMs = 30_000;

/**
 * How the player can pay: as the page was told when it was loaded. Where something was out then, or is
 * refused later, the shop is asked now and then until all is back. What was refused stays away until
 * the shop has taken it again for a while.
 */
export function useMethods({ kind }: Goods) {
  const atFirst = useSiteConfig();
  const { asked: currency } = useCurrency();
  const [droppedAt, setDroppedAt] = useState<Partial<Record<PaymentMethod, number>>>({});
  const lastDrop = Math.max(0, ...Object.values(droppedAt));
  const { data: now, dataUpdatedAt } = useQuery({
    ...methodsQuery(kind, currency),
    enabled: lastDrop > 0 || atFirst.methodsOut.length > 0,
    refetchInterval: ({ state }) => {
      const isWhole = state.data?.methodsOut.length === 0;
      return isWhole && state.dataUpdatedAt >= lastDrop + trustAfterMs ? false : askAgainMs;
    },
  });
  const isDropped = (method: PaymentMethod) => {
    const { [method]: at } = droppedAt;
    return at !== undefined && dataUpdatedAt < at + trustAfterMs;
  };
  return {
    drop: (method: PaymentMethod) => setDroppedAt({ ...droppedAt, [method]: Date.now() }),
    methodsOf: (pack: Pack): PaymentMethod[] => {
      const { methods } = now ?? atFirst;
      const left = methodsFor(pack, methods).filter((method) => !isDropped(method));
      // Without any there would be nothing to say on the page, and nothing to try again.
      return left.length > 0 ? left : methodsFor(pack, atFirst.methods);
    },
    /** Chosen as long as the player has chosen none. What comes back does not take its place. */
    firstOf: (methods: readonly PaymentMethod[]): PaymentMethod | undefined =>
      methods.find((method) => atFirst.methods.includes(method)) ?? methods[0],
  };
}
