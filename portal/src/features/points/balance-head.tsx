import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import type { PointBalance } from '../../entities/session/point-balance.ts';
import { useUser } from '../../entities/session/session.ts';
import { usePointBalance } from '../../entities/session/use-point-balance.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { Coin } from '../../shared/ui/coin.tsx';
import './balance-head.css';

/** The balance by kind of E Points, with debts and holds. */
export function BalanceHead() {
  const { t } = useTranslation();
  const headingId = useId();
  const addresses = useAddresses();
  return (
    <section className="balance-head" aria-labelledby={headingId}>
      <Coin size={72} />
      <div className="balance-head-total">
        <h2 id={headingId}>{t('points.yours')}</h2>
        <Total />
      </div>
      <ButtonLink kind="primary" to={addresses.recharge({ target: 'epoint' })}>
        {t('points.topUp')}
      </ButtonLink>
      <Parts />
    </section>
  );
}

function Total() {
  const format = useFormat();
  const { gameAccountId } = useUser();
  const { data: balance, isError } = usePointBalance();
  // Without a game account there is no balance to request, which is not an error.
  if (gameAccountId === null || isError) return <p className="balance-head-sum">–</p>;
  if (balance === undefined) {
    return <p className="skeleton balance-head-skeleton" aria-hidden="true" />;
  }
  return <p className="balance-head-sum">{format.number(balance.total)}</p>;
}

function Parts() {
  const { t } = useTranslation();
  const { gameAccountId } = useUser();
  const { data: balance, isError, isFetching, error, refetch } = usePointBalance();
  if (gameAccountId === null) return null;
  if (balance !== undefined) return <PartList balance={balance} />;
  if (!isError) return <div className="skeleton balance-head-parts-skeleton" aria-hidden="true" />;
  return (
    <div className="balance-head-failed">
      <Alert title={t('points.balanceFailed')}>
        <p>{errorText(t, error)}</p>
      </Alert>
      <Button kind="ghost" isBusy={isFetching} onClick={() => void refetch()}>
        <RefreshCw size={16} aria-hidden="true" />
        {t('global.retry')}
      </Button>
    </div>
  );
}

function PartList({ balance }: { balance: PointBalance }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { bought, given, frozen, debt, spendable } = balance;
  const parts = [
    { label: t('points.bought'), amount: Math.max(0, bought) },
    { label: t('points.given'), amount: given },
    ...(frozen > 0 ? [{ label: t('points.frozen'), amount: frozen }] : []),
    ...(debt > 0 ? [{ label: t('points.debt'), amount: -debt }] : []),
    { label: t('points.spendable'), amount: spendable },
  ];
  return (
    <dl className="balance-head-parts">
      {parts.map(({ label, amount }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{format.number(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
