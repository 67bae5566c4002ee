import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import type { PointGift, PointRecord, paymentsOfRecords } from '@pointgate/contract/points.ts';
import type { LucideIcon } from 'lucide-react';
import Gift from 'lucide-react/icons/gift';
import Hourglass from 'lucide-react/icons/hourglass';
import Plus from 'lucide-react/icons/plus';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import ShoppingBag from 'lucide-react/icons/shopping-bag';
import Undo2 from 'lucide-react/icons/undo-2';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useFormat } from '../../shared/i18n/format.ts';

type Payment = ReplyOf<typeof paymentsOfRecords>['payments'][number];

const icons: Record<PointRecord['kind'], LucideIcon> = {
  top_up: Plus,
  gift: Gift,
  spend: ShoppingBag,
  refund: RotateCcw,
  claw_back: Undo2,
  restore: RotateCcw,
  expiry: Hourglass,
};

interface PointRowProps {
  record: PointRecord;
  /** The order of the change, if there is one and it is loaded. */
  payment: Payment | undefined;
  /** The gift of the change, if it is one. */
  gift: PointGift | undefined;
  isWaiting: boolean;
}

/** One change: its kind, its amounts by kind of E Points, and the balance after. */
export function PointRow({ record, ...behind }: PointRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, at, basicChange, presentChange, basicAfter, presentAfter } = record;
  const change = basicChange + presentChange;
  const Icon = icons[kind];
  return (
    <li className="point-row" data-way={change > 0n ? 'in' : 'out'}>
      <span className="point-icon">
        <Icon size={18} aria-hidden="true" />
      </span>
      <div className="point-what">
        <p className="point-kind">{t(`pointRecord.kind.${kind}`)}</p>
        <p className="point-about">
          <About record={record} {...behind} />
        </p>
        <p className="point-when">
          <time dateTime={at}>{format.dateTime(at)}</time>
        </p>
      </div>
      <div className="point-change">
        <p className="point-sum">{format.change(change)}</p>
        <p className="point-parts">
          {basicChange !== 0n && (
            <span>{t('pointRecord.bought', { amount: format.change(basicChange) })}</span>
          )}
          {presentChange !== 0n && (
            <span>{t('pointRecord.given', { amount: format.change(presentChange) })}</span>
          )}
        </p>
      </div>
      <dl className="point-after">
        <dt>{t('pointRecord.after')}</dt>
        <dd>
          <strong>{format.number(basicAfter + presentAfter)}</strong>{' '}
          <span>
            {t('points.parts', {
              bought: format.number(basicAfter),
              given: format.number(presentAfter),
            })}
          </span>
        </dd>
      </dl>
    </li>
  );
}

/** The order or the gift of the change, if any, and the reason. */
function About({ record: { kind }, payment, gift, isWaiting }: PointRowProps) {
  const { t } = useTranslation();
  const addresses = useAddresses();
  const why =
    kind === 'top_up' || kind === 'spend' || kind === 'refund'
      ? null
      : t(`pointRecord.why.${kind}`);
  if (gift !== undefined) {
    return <AboutGift gift={gift} why={kind === 'gift' ? null : why} />;
  }
  if (payment === undefined) {
    if (isWaiting) return <span className="skeleton point-about-skeleton" aria-hidden="true" />;
    return why ?? '\u00a0';
  }
  const { paymentId, itemName, roleName, serverName } = payment;
  const recipient = [roleName, serverName].filter((name) => name !== null).join(' · ');
  return (
    <>
      <Link to={addresses.order(paymentId)}>{itemName}</Link>
      {(why ?? recipient) !== '' && <span> · {why ?? recipient}</span>}
    </>
  );
}

/** A rebate names its campaign and its order; for a redeemed code no details are known. */
function AboutGift({ gift, why }: { gift: PointGift; why: string | null }) {
  const { t } = useTranslation();
  const addresses = useAddresses();
  const { campaignName, paymentId } = gift;
  return (
    <>
      {campaignName ?? t('pointRecord.gift.code')}
      {why !== null && <span> · {why}</span>}
      {why === null && paymentId !== null && (
        <span>
          {' · '}
          <Link to={addresses.order(paymentId)}>{t('pointRecord.gift.reachedBy')}</Link>
        </span>
      )}
    </>
  );
}
