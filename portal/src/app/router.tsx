import { securePath } from '@pointgate/contract/notices.ts';
import { signInReturnPath } from '@pointgate/contract/sign-in.ts';
import { Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { ExpiredDialog } from '../entities/session/expired-dialog.tsx';
import { fromRoot } from '../entities/session/redirect.ts';
import { RefusedTicketDialog } from '../entities/session/refused-ticket-dialog.tsx';
import { RequireLogin } from '../entities/session/require-login.tsx';
import { SwitchAccountDialog } from '../entities/session/switch-account-dialog.tsx';
import { ArrivalHandling } from '../features/login/arrival-handling.tsx';
import { useSiteConfig } from '../shared/config/site-config.tsx';
import { useWordsOfServer } from '../shared/i18n/use-words-of-server.ts';
import { ForbiddenPage, NotFoundPage } from '../shared/ui/message-pages.tsx';
import { Spinner } from '../shared/ui/spinner.tsx';
import { Toasts } from '../shared/ui/toast.tsx';
import { page } from './lazy-page.ts';
import { MainLayout } from './shell/main-layout.tsx';

const LoginPage = page(async () => (await import('../features/login/login-page.tsx')).LoginPage);
const ResetPage = page(
  async () => (await import('../features/login/reset-page.tsx')).ResetPage,
  ['account'],
);
const SecurePage = page(
  async () => (await import('../features/login/secure-page.tsx')).SecurePage,
  ['account'],
);
const ReturnPage = page(async () => (await import('../features/login/return-page.tsx')).ReturnPage);
const HomeRoute = page(async () => (await import('./routes/home-route.tsx')).HomeRoute);
const RechargeRoute = page(async () => (await import('./routes/recharge-route.tsx')).RechargeRoute);
const OrderRoute = page(
  async () => (await import('./routes/order-route.tsx')).OrderRoute,
  ['orders'],
);
const AccountRoute = page(
  async () => (await import('./routes/account-route.tsx')).AccountRoute,
  ['orders', 'account'],
);
const OrdersRoute = page(
  async () => (await import('./routes/orders-route.tsx')).OrdersRoute,
  ['orders', 'account'],
);
const PointsRecordRoute = page(
  async () => (await import('./routes/points-record-route.tsx')).PointsRecordRoute,
  ['account'],
);
const ReceiptRoute = page(
  async () => (await import('./routes/receipt-route.tsx')).ReceiptRoute,
  ['orders'],
);
const PlatformHomeRoute = page(
  async () => (await import('./routes/platform-home-route.tsx')).PlatformHomeRoute,
);
const GameRechargeRoute = page(
  async () => (await import('./routes/game-recharge-route.tsx')).GameRechargeRoute,
);
const PlatformOrdersRoute = page(
  async () => (await import('./routes/platform-orders-route.tsx')).PlatformOrdersRoute,
  ['orders', 'account'],
);
const PointsRoute = page(async () => (await import('./routes/points-route.tsx')).PointsRoute);
const NewsRoute = page(async () => (await import('./routes/news-route.tsx')).NewsRoute);
const BulletinRoute = page(async () => (await import('./routes/bulletin-route.tsx')).BulletinRoute);
const ContentRoute = page(async () => (await import('./routes/content-route.tsx')).ContentRoute);

export function AppRoutes() {
  const { domainType, gameInfo } = useSiteConfig();
  const { gameId } = gameInfo;
  const isPlatform = domainType === 1;
  useWordsOfServer();
  return (
    <Suspense fallback={<Spinner />}>
      <Routes>
        <Route path="/" element={<KeepQuery to="/main" state={fromRoot} />} />
        <Route element={<MainLayout />}>
          <Route path="/login" element={<LoginPage />} />
          <Route path="/login/reset" element={<ResetPage />} />
          <Route path={securePath} element={<SecurePage />} />
          <Route path={signInReturnPath} element={<ReturnPage />} />
          <Route path="/main" element={<RequireLogin />}>
            <Route index element={<KeepQuery to={isPlatform ? '/dream/home' : '/main/home'} />} />
            {isPlatform || gameId === null ? (
              <Route path="*" element={<KeepQuery to="/403" />} />
            ) : (
              <>
                <Route path="home" element={<HomeRoute gameId={gameId} />} />
                <Route path="recharge" element={<RechargeRoute gameId={gameId} />} />
                <Route path="recharge/detail/:id" element={<OrderRoute />} />
                <Route path="recharge/receipt/:id" element={<ReceiptRoute />} />
                <Route path="account" element={<KeepQuery to="/main/account/user" />} />
                <Route path="account/user" element={<AccountRoute gameId={gameId} />} />
                <Route path="account/recharge" element={<OrdersRoute />} />
                <Route path="account/epoint" element={<PointsRecordRoute />} />
                <Route path="event" element={<NewsRoute />} />
                <Route path="event/detail/:id" element={<BulletinRoute />} />
              </>
            )}
          </Route>
          <Route path="/dream" element={<RequireLogin />}>
            {isPlatform ? (
              <>
                <Route index element={<KeepQuery to="/dream/home" />} />
                <Route path="home" element={<PlatformHomeRoute />} />
                <Route path="recharge" element={<KeepQuery to="/dream" />} />
                <Route path="recharge/:gameId" element={<GameRechargeRoute />} />
                <Route path="epoint" element={<PointsRoute />} />
                <Route path="order" element={<PlatformOrdersRoute />} />
                <Route path="order/detail" element={<OrderRoute />} />
                <Route path="order/receipt" element={<ReceiptRoute />} />
                <Route path="event" element={<NewsRoute />} />
                <Route path="event/detail/:id" element={<BulletinRoute />} />
                <Route path="account" element={<KeepQuery to="/dream/account/user" />} />
                <Route path="account/user" element={<AccountRoute gameId={null} />} />
                <Route path="account/epoint" element={<PointsRecordRoute />} />
              </>
            ) : (
              <>
                <Route index element={<KeepQuery to="/403" />} />
                <Route path="*" element={<KeepQuery to="/403" />} />
              </>
            )}
          </Route>
          <Route path="/page/:id" element={<ContentRoute />} />
          <Route path="/403" element={<ForbiddenPage />} />
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

/** Redirects to another page and keeps the query string. */
function KeepQuery({ to, state }: { to: string; state?: unknown }) {
  const { search } = useLocation();
  return <Navigate to={to + search} state={state} replace />;
}
