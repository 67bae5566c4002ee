import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasOrderPanel } from '../ui/use-media-query.ts';
import { OrderPanel, PayBar } from './checkout.tsx';
import { type Pack, priceOf } from './pack.ts';
import { PackCard } from './pack-card.tsx';
import type { Checkout } from './use-checkout.ts';

interface PackGroup {
  groupId: string;
  name: string;
  packs: readonly Pack[];
}

interface PackShopProps {
  groups: readonly PackGroup[];
  checkout: Checkout;
  onChoose: (pack: Pack) => void;
  above?: ReactNode;
  below?: ReactNode;
}

/** Packs to choose from, and beside them, or at the thumb, what is chosen. */
export function PackShop({ groups, checkout, onChoose, above, below }: PackShopProps) {
  const { t } = useTranslation();
  const hasOrderPanel = useHasOrderPanel();
  return (
    <>
      <div className="recharge-packs">
        {above}
        <fieldset disabled={checkout.isBusy}>
          <legend className="visually-hidden">{t('recharge.choosePack')}</legend>
          {groups.map((group) => (
            <div key={group.groupId} className="pack-group">
              {groups.length > 1 && <h3>{group.name}</h3>}
              <div className="pack-grid">
                {group.packs.map((pack) => (
                  <PackCard
                    key={pack.itemId}
                    pack={pack}
                    price={priceOf(pack, checkout.method)}
                    isChosen={pack.itemId === checkout.pack.itemId}
                    onChoose={() => onChoose(pack)}
                  />
                ))}
              </div>
            </div>
          ))}
        </fieldset>
        {below}
      </div>
      {hasOrderPanel ? <OrderPanel {...checkout} /> : <PayBar {...checkout} />}
    </>
  );
}
