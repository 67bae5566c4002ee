import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../shared/i18n/format.ts';
import { ButtonLink } from '../../shared/ui/button.tsx';
import { useAddresses } from '../addresses/addresses.ts';
import type { PointBalance } from '../session/point-balance.ts';
import { needParameter } from './need.ts';
import './pay-blocker.css';

/** Explains an insufficient balance and links to the E Point top-up. */
export function Shortage({ balance, points }: { balance: PointBalance; points: bigint }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reasonId = useId();
  const { recharge } = useAddresses();
  const isInDebt = balance.debt > 0;
  return (
    <>
      <p className="pay-blocker" id={reasonId}>
        <TriangleAlert size={15} aria-hidden="true" />
        <span>
          {t(isInDebt ? 'errors.EPointDebt' : 'errors.EPointInsufficient')}{' '}
          <span className="pay-blocker-sum">
            {isInDebt
              ? t('points.youOwe', { amount: format.points(balance.debt) })
              : t('points.haveOf', {
                  have: format.number(balance.spendable),
                  need: format.points(points),
                })}
          </span>
        </span>
      </p>
      <ButtonLink
        kind="primary"
        name="top-up-points"
        to={withNeed(recharge({ target: 'epoint' }), missingOf(balance, points))}
        describedBy={reasonId}
      >
        {t('points.topUp')}
      </ButtonLink>
    </>
  );
}

/** Adds the missing amount, so that the page preselects the smallest pack that covers it. */
function withNeed(address: string, missing: bigint): string {
  return `${address}${address.includes('?') ? '&' : '?'}${needParameter}=${missing}`;
}

function missingOf({ spendable, debt }: PointBalance, points: bigint): bigint {
  return points - BigInt(spendable) + BigInt(debt);
}
