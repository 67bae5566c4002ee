import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { useUser } from '../../entities/session/session.ts';
import { usePointBalance } from '../../entities/session/use-point-balance.ts';
import { useFormat } from '../../shared/i18n/format.ts';
import { Coin } from '../../shared/ui/coin.tsx';

/** The E Point balance in the bar, linked to the top-up. Keeps its size while it is loading. */
export function BalancePill() {
  const { t } = useTranslation();
  const format = useFormat();
  const { gameAccountId, ePointNum } = useUser();
  const { isError } = usePointBalance();
  const { recharge } = useAddresses();
  if (gameAccountId === null) return null;
  const amount = ePointNum === null ? null : format.number(ePointNum);
  const name = amount === null ? t('points.unit') : t('points.balanceIs', { amount });
  return (
    <Link
      className="nav-balance"
      to={recharge({ target: 'epoint' })}
      aria-label={isError ? t('points.balanceFailed') : name}
    >
      <Coin size={26} />
      <span aria-hidden="true">{amount ?? (isError ? '–' : '')}</span>
    </Link>
  );
}
