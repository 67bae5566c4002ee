import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentSystem } from '../api/system.ts';
import type { Wish } from '../payment/order-intent.ts';
import { useUser } from '../session/session.ts';
import { BalanceNotices, BalancePanel } from './balance-panel.tsx';
import { type Pack, packOfPoints } from './pack.ts';
import { PackShop } from './pack-shop.tsx';
import { pointPacksQuery } from './recharge-queries.ts';
import { useCheckout, useChosenPack } from './use-checkout.ts';

/** Packs of E Points. They go to the account itself: no role has to be chosen. */
export function PointPacks() {
  const { t } = useTranslation();
  const { accountId, displayName } = useUser();
  const { data } = useSuspenseQuery(pointPacksQuery);
  const unit = t('points.unit');
  const packs = data.map((each) => packOfPoints(each, unit));
  const [pack, choose] = useChosenPack(packs);

  const wishFor = ({ itemId }: Pack, method: PaymentMethod): Wish | null =>
    accountId === null
      ? null
      : { kind: 'points', accountId, itemId, quantity: 1, method, system: currentSystem() };
  const name = displayName ?? '';
  const checkout = useCheckout({
    pack,
    recipient: { label: t('recharge.creditTo'), name, shortName: name },
    blocker: null,
    wishFor,
  });
  if (checkout === null) {
    return (
      <div className="recharge-packs">
        <BalanceNotices />
        <p className="recharge-empty">{t('recharge.nothing')}</p>
        <BalancePanel />
      </div>
    );
  }
  return (
    <PackShop
      groups={[{ groupId: 'points', name: unit, packs }]}
      checkout={checkout}
      onChoose={choose}
      above={<BalanceNotices />}
      below={<BalancePanel />}
    />
  );
}
