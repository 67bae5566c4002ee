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

/**
 * How the player can pay: as the page was told when it was loaded, and from the first refusal on as the
 * shop says now. What was refused stays away until the shop has taken it again for a while.
 */
export function useMethods({ kind }: Goods) {
  const { methods: atFirst } = useSiteConfig();
  const { asked: currency } = useCurrency();
  const [droppedAt, setDroppedAt] = useState<Partial<Record<PaymentMethod, number>>>({});
  const { data: now, dataUpdatedAt } = useQuery({
    ...methodsQuery(kind, currency),
    enabled: Object.keys(droppedAt).length > 0,
  });
  const isDropped = (method: PaymentMethod) => {
    const { [method]: at } = droppedAt;
    return at !== undefined && dataUpdatedAt < at + trustAfterMs;
  };
  return {
    drop: (method: PaymentMethod) => setDroppedAt({ ...droppedAt, [method]: Date.now() }),
    methodsOf: (pack: Pack): PaymentMethod[] => {
      const left = methodsFor(pack, now ?? atFirst).filter((method) => !isDropped(method));
      // Without any there would be nothing to say on the page, and nothing to try again.
      return left.length > 0 ? left : methodsFor(pack, atFirst);
    },
  };
}
