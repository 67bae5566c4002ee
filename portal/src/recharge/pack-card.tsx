import type { Price } from '@pointgate/contract/money.ts';
import Check from 'lucide-react/icons/check';
import Gift from 'lucide-react/icons/gift';
import Zap from 'lucide-react/icons/zap';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/format.ts';
import { PriceText } from '../ui/price-text.tsx';
import { giftText, totalOf } from './gift-text.ts';
import type { Pack } from './pack.ts';
import './pack-card.css';

interface PackCardProps {
  pack: Pack;
  price: Price;
  isChosen: boolean;
  onChoose: () => void;
}

export function PackCard({ pack, price, isChosen, onChoose }: PackCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const quantity = format.number(pack.quantity);
  const gift = giftText(t, format, pack);
  const total = format.number(totalOf(pack));
  const name = [`${quantity} ${pack.unit}`, gift && `${gift} = ${total}`, format.price(price)];
  return (
    <label className={`pack tier-${pack.tier}`}>
      <input
        type="radio"
        name="pack"
        className="visually-hidden"
        checked={isChosen}
        onChange={onChoose}
        aria-label={name.filter((part) => part !== null).join(', ')}
      />
      <PackStage art={pack.art} />
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
        <span className="pack-gift" data-first={pack.gift?.reason === 'first_purchase'}>
          {pack.gift?.reason === 'first_purchase' && (
            <Zap size={12} fill="currentColor" aria-hidden="true" />
          )}
          {pack.gift?.reason === 'bonus' && <Gift size={12} aria-hidden="true" />}
          {gift !== null && (
            <span>
              {gift} <small>= {total}</small>
            </span>
          )}
        </span>
        <span className="pack-price">
          <PriceText price={price} coinSize={20} />
        </span>
      </span>
    </label>
  );
}

// Where the light catches each picture, in percent of its stage.
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
        src={`/art/${art}-384.avif`}
        srcSet={`/art/${art}-256.avif 256w, /art/${art}-384.avif 384w`}
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
