import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useTranslation } from 'react-i18next';
import type { PointBalance } from '../../entities/session/point-balance.ts';
import { useUser } from '../../entities/session/session.ts';
import { usePointBalance } from '../../entities/session/use-point-balance.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Coin } from '../../shared/ui/coin.tsx';
import './balance.css';

/** The receiving account and its balance, in the place of the role. */
export function BalanceBar() {
  const { t } = useTranslation();
  const { displayName, gameAccountId } = useUser();
  return (
    <div className="balance-bar">
      <Coin size={52} />
      <div className="balance-text">
        <p className="balance-caption">{t('points.of', { name: displayName })}</p>
        {gameAccountId === null ? <p>{t('points.unit')}</p> : <Balance />}
      </div>
    </div>
  );
}

function Balance() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: balance, isError, isFetching, refetch } = usePointBalance();
  if (balance !== undefined) {
    return (
      <>
        <p className="balance-total">{format.points(balance.total)}</p>
        <p className="balance-parts">
          <Parts balance={balance} />
        </p>
      </>
    );
  }
  if (!isError) return <div className="skeleton balance-skeleton" aria-hidden="true" />;
  return (
    <div className="balance-failed" role="alert">
      <p>{t('points.balanceFailed')}</p>
      <button type="button" disabled={isFetching} onClick={() => void refetch()}>
        <RefreshCw size={16} aria-hidden="true" />
        {t('global.retry')}
      </button>
    </div>
  );
}

/** The most important detail of the balance: a debt, a hold or its parts. */
function Parts({ balance }: { balance: PointBalance }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (balance.debt > 0) return t('points.youOwe', { amount: format.points(balance.debt) });
  if (balance.frozen > 0) return t('points.onHold', { amount: format.number(balance.frozen) });
  if (balance.total === 0) return t('points.none');
  return t('points.parts', {
    bought: format.number(balance.bought),
    given: format.number(balance.given),
  });
}
