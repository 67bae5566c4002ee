import type { Price } from '@pointgate/contract/money.ts';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Zap from 'lucide-react/icons/zap';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { packArt } from '../../shared/ui/art.ts';
import { PriceText } from '../../shared/ui/price-text.tsx';
import { giftText, isForFirst, totalOf } from './gift-text.ts';
import type { Availability, Pack } from './pack.ts';
import { hasTerms, PackStamp, PackTerms } from './pack-terms.tsx';
import './pack-card.css';

interface PackCardProps {
  pack: Pack;
  price: Price;
  availability: Availability;
  isChosen: boolean;
  onChoose: () => void;
}

export function PackCard({ pack, price, availability, isChosen, onChoose }: PackCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const quantity = format.number(pack.quantity);
  const gift = giftText(t, format, pack);
  const total = format.number(totalOf(pack));
  const isFirst = pack.gift !== null && isForFirst(pack.gift.reason);
  // A gift that is not available to everybody at any time.
  const isSpecial = pack.gift !== null && pack.gift.reason !== 'bonus';
  const name = [`${quantity} ${pack.unit}`, gift && `${gift} = ${total}`, format.price(price)];
  return (
    <label className={`pack tier-${pack.tier}`} data-closed={availability !== 'open' || undefined}>
      <input
        type="radio"
        name="pack"
        className="visually-hidden"
        checked={isChosen}
        disabled={availability !== 'open'}
        onChange={onChoose}
        aria-describedby={hasTerms(pack, price) ? `${id}stamp ${id}terms` : undefined}
        aria-label={name.filter((part) => part !== null).join(', ')}
      />
      <PackStage art={pack.art} />
      <span id={`${id}stamp`}>
        <PackStamp pack={pack} availability={availability} />
      </span>
      {pack.badge !== null && (
        <span className="pack-badge">{t(`recharge.badge.${pack.badge}`)}</span>
      )}
      <span className="pack-tick" aria-hidden="true">
        <Check size={15} strokeWidth={3.2} />
      </span>
      <span className="pack-info">
        <span className="pack-quantity">
          {quantity} <small>{pack.unit}</small>
        </span>
        <span className="pack-gift" data-special={isSpecial}>
          {isFirst && <Zap size={12} fill="currentColor" aria-hidden="true" />}
          {pack.gift !== null && !isFirst && <Gift size={12} aria-hidden="true" />}
          {gift !== null && (
            <span>
              {gift} <small>= {total}</small>
            </span>
          )}
        </span>
        <span className="pack-price">
          <PriceText price={price} coinSize={20} />
        </span>
        <PackTerms id={`${id}terms`} pack={pack} price={price} availability={availability} />
      </span>
    </label>
  );
}

// The positions of the light reflexes on each picture, in percent.
const glints: Record<string, readonly (readonly [left: number, top: number])[]> = {
  shard3: [
    [50, 16],
    [66, 62],
  ],
  shard4: [
    [47, 18],
    [70, 58],
  ],
  shard5: [
    [50, 12],
    [66, 66],
  ],
  shard6: [
    [50, 20],
    [31, 52],
  ],
};

function PackStage({ art }: { art: string }) {
  return (
    <span className="pack-stage" aria-hidden="true">
      <svg className="pack-halo" viewBox="0 0 200 200" aria-hidden="true">
        <circle cx="100" cy="100" r="92" />
        <circle cx="100" cy="100" r="84" strokeDasharray="1.5 7.3" strokeWidth="6" />
        <circle cx="100" cy="100" r="70" />
      </svg>
      <img
        {...packArt(art)}
        sizes="(max-width: 750px) 132px, 168px"
        width={384}
        height={384}
        alt=""
        decoding="async"
      />
      {glints[art]?.map(([left, top]) => (
        <i className="glint" key={left} style={{ left: `${left}%`, top: `${top}%` }} />
      ))}
    </span>
  );
}
