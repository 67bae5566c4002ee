import type { PurchaseLimit } from '@pointgate/contract/catalogue.ts';
import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import Clock from 'lucide-react/icons/clock';
import Coins from 'lucide-react/icons/coins';
import Layers from 'lucide-react/icons/layers';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { TimeLeft } from '../../shared/ui/time-left.tsx';
import type { Availability, Pack } from './pack.ts';

interface PackTermsProps {
  /** Referenced by `aria-describedby` of the card. */
  id: string;
  pack: Pack;
  price: Price;
  availability: Availability;
}

/** The rebate, the purchase limit and the sale period of a pack. */
export function PackTerms({ id, pack, price, availability }: PackTermsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { saleUntil, limit } = pack;
  if (!hasTerms(pack, price)) return null;
  const rebatePoints = rebateOf(pack, price);
  return (
    <span className="pack-terms" id={id}>
      {rebatePoints !== null && (
        <span className="pack-term">
          <Coins size={13} aria-hidden="true" />
          {t('recharge.rebate', { points: format.points(rebatePoints) })}
        </span>
      )}
      {saleUntil !== null && availability !== 'ended' && (
        <span className="pack-term sale">
          <Clock size={13} aria-hidden="true" />
          <TimeLeft words="recharge.saleEnds" until={saleUntil} />
        </span>
      )}
      {limit !== null && (
        <span className="pack-term">
          <Layers size={13} aria-hidden="true" />
          <LimitText limit={limit} />
        </span>
      )}
    </span>
  );
}

function LimitText({ limit }: { limit: PurchaseLimit }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { packsLeft, packsMax, period, resetAt } = limit;
  const max = format.number(packsMax);
  return (
    <span>
      {packsLeft === null
        ? t(`recharge.limitMax.${period}`, { max })
        : t(`recharge.limitLeft.${period}`, { left: format.number(packsLeft), max })}
      {packsLeft !== null && packsLeft < packsMax && resetAt !== null && (
        <>
          {/* A separator for screen readers only: visually the text is on its own line. */}
          <span className="visually-hidden">, </span>
          <TimeLeft words="recharge.limitResets" until={resetAt} />
        </>
      )}
    </span>
  );
}

/** Whether the pack has a rebate, a limit or a sale period. */
export function hasTerms(pack: Pack, price: Price): boolean {
  return pack.saleUntil !== null || pack.limit !== null || rebateOf(pack, price) !== null;
}

/** The rebate of a pack; payments in E Points earn none. */
function rebateOf({ rebatePoints }: Pack, { currency }: Price): bigint | null {
  return currency === pointsUnit ? null : rebatePoints;
}

/** The label across the card of a pack that cannot be bought. */
export function PackStamp({ pack, availability }: Omit<PackTermsProps, 'id' | 'price'>) {
  const { t } = useTranslation();
  if (availability === 'open') return null;
  if (availability === 'ended') return <span className="pack-stamp">{t('recharge.ended')}</span>;
  const isForGood = pack.limit?.resetAt === null;
  return (
    <span className="pack-stamp">{t(isForGood ? 'recharge.boughtAll' : 'recharge.soldOut')}</span>
  );
}
