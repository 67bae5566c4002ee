import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '../config/site-config.tsx';
import { BalanceBar } from '../recharge/balance-bar.tsx';
import { PointsRechargePage } from '../recharge/recharge-page.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { Hero } from '../ui/hero.tsx';

/** The E Point top-up of a platform: E Points belong to the account and need no game. */
export function PointsRoute() {
  const { t } = useTranslation();
  const { siteTitle } = useSiteConfig();
  usePageTitle('titles.recharge');
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
