import { useTranslation } from 'react-i18next';
import { BalanceBar } from '../../features/recharge/balance-bar.tsx';
import { PointsRechargePage } from '../../features/recharge/recharge-page.tsx';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { Hero } from '../../shared/ui/hero.tsx';

/** The E Point top-up of a platform: E Points belong to the account and need no game. */
export function PointsRoute() {
  const { t } = useTranslation();
  const { siteTitle } = useSiteConfig();
  return (
    <PointsRechargePage
      hero={
        <Hero title={siteTitle} subtitle={t('points.unit')} height="short">
          <p className="hero-lead wide-only">{t('recharge.leadPoints')}</p>
          <BalanceBar />
        </Hero>
      }
    />
  );
}
