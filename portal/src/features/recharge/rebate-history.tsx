import type { RebateCampaign } from '@pointgate/contract/promotions.ts';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useFormat } from '../../shared/i18n/format.ts';

interface RebateHistoryProps {
  history: RebateCampaign['history'];
  money: (amountMinor: bigint) => string;
}

/** The rewards given and taken back, each with its order. */
export function RebateHistory({ history, money }: RebateHistoryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const addresses = useAddresses();
  if (history.length === 0) return <p>{t('rebate.nothingYet')}</p>;
  return (
    <ol className="rebate-history">
      {history.map((step) => (
        <li key={`${step.tier} ${step.at}`} data-state={step.kind}>
          <p className="rebate-step">
            <strong>
              {t(`rebate.step.${step.kind}`, { points: format.points(step.presentPoints) })}
            </strong>
            <time dateTime={step.at}>{format.dateTime(step.at)}</time>
          </p>
          <p>
            {t(`rebate.why.${step.kind}`, {
              before: money(step.progressBeforeMinor),
              after: money(step.progressAfterMinor),
            })}{' '}
            <Link to={addresses.order(step.paymentId)}>{t('rebate.order')}</Link>
          </p>
        </li>
      ))}
    </ol>
  );
}
