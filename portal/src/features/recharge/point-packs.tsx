import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderRequest } from '../../entities/payment/order-intent.ts';
import { useUser } from '../../entities/session/session.ts';
import { useSystem } from '../../entities/session/use-system.ts';
import { useNowAt } from '../../shared/ui/use-now.ts';
import { BalanceNotices, BalancePanel } from './balance-panel.tsx';
import { NothingForSale } from './nothing-for-sale.tsx';
import { momentsOf, type Pack, packOfPoints } from './pack.ts';
import { PackShop } from './pack-shop.tsx';
import { pointPacksQuery } from './recharge-queries.ts';
import { useCheckout } from './use-checkout.ts';
import { useChosenPack } from './use-chosen-pack.ts';
import { useCurrency } from './use-currency.ts';

/** Packs of E Points, which are credited to the account and need no role. */
export function PointPacks({ above }: { above?: ReactNode }) {
  const { t } = useTranslation();
  const { accountId, displayName } = useUser();
  const system = useSystem();
  const { asked: currency } = useCurrency();
  const { data } = useSuspenseQuery(pointPacksQuery(system, currency));
  const unit = t('points.unit');
  const packs = useMemo(() => data.map((each) => packOfPoints(each, unit)), [data, unit]);
  const now = useNowAt(momentsOf(packs));
  const { pack, choose, blocker } = useChosenPack(packs, now);

  const requestFor = ({ itemId, quoteId }: Pack, method: PaymentMethod): OrderRequest | null => {
    if (accountId === null) return null;
    const goods = { itemId, quoteId, quantity: 1, ...(currency && { currency }) };
    return { kind: 'points', accountId, ...goods, method, system };
  };
  const name = displayName ?? '';
  const checkout = useCheckout({
    goods: { kind: 'points', gameId: null },
    pack,
    recipient: { label: t('recharge.creditTo'), name, shortName: name },
    blocker,
    requestFor,
  });
  if (checkout === null) {
    return (
      <div className="recharge-packs">
        <BalanceNotices />
        <NothingForSale system={system} hasPacks={pack !== undefined} />
        <BalancePanel />
      </div>
    );
  }
  return (
    <PackShop
      groups={[{ groupId: 'points', name: unit, packs }]}
      checkout={checkout}
      now={now}
      onChoose={choose}
      above={
        <>
          <BalanceNotices />
          {above}
        </>
      }
      below={<BalancePanel />}
    />
  );
}
