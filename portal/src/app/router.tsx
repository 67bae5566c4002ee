import { aliasesOf, pages, siteRoots } from '@pointgate/contract/pages.ts';
import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { useSiteKind } from '../entities/addresses/addresses.ts';
import { ExpiredDialog } from '../entities/session/expired-dialog.tsx';
import { RefusedTicketDialog } from '../entities/session/refused-ticket-dialog.tsx';
import { RequireLogin } from '../entities/session/require-login.tsx';
import { SwitchAccountDialog } from '../entities/session/switch-account-dialog.tsx';
import { ArrivalHandling } from '../features/login/arrival-handling.tsx';
import { useSiteConfig } from '../shared/config/site-config.tsx';
import { useWordsOfServer } from '../shared/i18n/use-words-of-server.ts';
import { NotFoundPage } from '../shared/ui/message-pages.tsx';
import { Spinner } from '../shared/ui/spinner.tsx';
import { Toasts } from '../shared/ui/toast.tsx';
import { openPages } from './open-pages.tsx';
import { MainLayout } from './shell/main-layout.tsx';

const opened = {
  common: openPages('common'),
  game: openPages('game'),
  platform: openPages('platform'),
};

/** The routes of this kind of site. A single-game site without a game has only common pages. */
export function AppRoutes() {
  const kind = useSiteKind();
  const { gameId } = useSiteConfig().gameInfo;
  const hasPages = kind === 'platform' || gameId !== null;
  const { [kind]: own, common } = opened;
  const shown = hasPages ? [...common, ...own] : common;
  useWordsOfServer();
  return (
    <Suspense fallback={<Spinner />}>
      <Routes>
        <Route element={<MainLayout />}>
          {routesOf(shown.filter(({ row }) => row.access === 'public'))}
          <Route element={<RequireLogin />}>
            {routesOf(shown.filter(({ row }) => row.access === 'player'))}
            {redirects(hasPages ? [] : ['/', `${siteRoots[kind]}/*`], pages.common.forbidden.path)}
            {redirects([`${siteRoots[otherKind[kind]]}/*`], pages.common.forbidden.path)}
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
      <ExpiredDialog />
      <RefusedTicketDialog />
      <SwitchAccountDialog />
      <Toasts />
      {/* Mounted after the toasts, which it uses. */}
      <ArrivalHandling />
    </Suspense>
  );
}

const otherKind = { game: 'platform', platform: 'game' } as const;

function routesOf(shown: ReturnType<typeof openPages>) {
  return shown.flatMap(({ row, Component }) => [
    <Route key={row.path} path={row.path.replace(/\?.*/, '')} element={<Component />} />,
    ...redirects(aliasesOf(row), row.path),
  ]);
}

function redirects(paths: readonly string[], to: string) {
  return paths.map((path) => <Route key={path} path={path} element={<KeepQuery to={to} />} />);
}

/** Redirects to another page and keeps the query string. */
function KeepQuery({ to }: { to: string }) {
  const { search } = useLocation();
  return <Navigate to={to + search} replace />;
}
