import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { Spinner } from '../ui/spinner.tsx';
import { Nav } from './nav.tsx';
import { PageBoundary } from './page-boundary.tsx';

export function MainLayout() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <>
      <a className="skip-link" href="#main">
        {t('nav.skip')}
      </a>
      <Nav />
      {/* By path, so that what failed on one page does not stand on the next. */}
      <PageBoundary key={pathname} waiting={<Spinner />}>
        <Outlet />
      </PageBoundary>
    </>
  );
}
