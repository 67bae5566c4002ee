import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { Nav } from './nav.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { PageOnTheWay } from './page-on-the-way.tsx';
import { useScrollToTop } from './use-scroll-to-top.ts';

export function MainLayout() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  useScrollToTop();
  return (
    <>
      <a className="skip-link" href="#main">
        {t('nav.skip')}
      </a>
      <Nav />
      <OfflineBar />
      {/* Keyed by path, so that the error of one page is not shown on another. */}
      <PageBoundary key={pathname} waiting={<PageOnTheWay />}>
        <Outlet />
      </PageBoundary>
    </>
  );
}
