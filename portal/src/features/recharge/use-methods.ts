import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { methodsFor, type Pack } from './pack.ts';
import type { Goods } from './price-breakdown.ts';
import { methodsQuery } from './recharge-queries.ts';
import { useCurrency } from './use-currency.ts';

/** A method may be listed again right after a refusal; another attempt would fail, too. */
const trustAfterMs = 20_000;
const askAgainMs = 30_000;

/**
 * The payment methods, as listed when the page was loaded. After an outage or a refusal the server
 * is polled until all methods are available. A refused method stays hidden until the server has
 * listed it for a while.
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
      // Without any method there would be no pay button to retry with.
      return left.length > 0 ? left : methodsFor(pack, atFirst.methods);
    },
    /** The default method. A method that becomes available again does not replace it. */
    firstOf: (methods: readonly PaymentMethod[]): PaymentMethod | undefined =>
      methods.find((method) => atFirst.methods.includes(method)) ?? methods[0],
  };
}
