import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasOrderPanel } from '../../shared/ui/use-media-query.ts';
import { OrderPanel, PayBar } from './checkout.tsx';
import { availabilityOf, type Pack, priceOf } from './pack.ts';
import { PackCard } from './pack-card.tsx';
import type { Checkout } from './use-checkout.ts';

export interface PackGroup {
  groupId: string;
  name: string;
  packs: readonly Pack[];
}

interface PackShopProps {
  groups: readonly PackGroup[];
  checkout: Checkout;
  /** The server time: packs that have ended by then cannot be chosen. */
  now: number;
  onChoose: (pack: Pack) => void;
  above?: ReactNode;
  below?: ReactNode;
}

/** The packs with the order panel beside them, or with the bottom bar. */
export function PackShop({ groups, checkout, now, onChoose, above, below }: PackShopProps) {
  const { t } = useTranslation();
  const hasOrderPanel = useHasOrderPanel();
  return (
    <>
      <div className="recharge-packs">
        {above}
        <fieldset disabled={checkout.isBusy}>
          <legend className="visually-hidden">{t('recharge.choosePack')}</legend>
          {groups.map(({ groupId, name, packs }) => (
            <Group key={groupId} name={groups.length > 1 ? name : null}>
              {packs.map((pack) => (
                <PackCard
                  key={pack.itemId}
                  pack={pack}
                  price={priceOf(pack, checkout.method)}
                  availability={availabilityOf(pack, now)}
                  isChosen={pack.itemId === checkout.pack.itemId}
                  onChoose={() => onChoose(pack)}
                />
              ))}
            </Group>
          ))}
        </fieldset>
        {below}
      </div>
      {hasOrderPanel ? <OrderPanel {...checkout} /> : <PayBar {...checkout} />}
    </>
  );
}

/** A group of packs, with a heading if there are several groups. */
function Group({ name, children }: { name: string | null; children: ReactNode }) {
  const headingId = useId();
  if (name === null) return <div className="pack-grid">{children}</div>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a nested fieldset reads like another form.
    <div role="group" aria-labelledby={headingId} className="pack-group">
      <h2 id={headingId}>{name}</h2>
      <div className="pack-grid">{children}</div>
    </div>
  );
}
