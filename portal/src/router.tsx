import { signInReturnPath } from '@pointgate/contract/sign-in.ts';
import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { accountAddress } from './addresses.ts';
import { useSiteConfig } from './config/site-config.tsx';
import { useWordsOfServer } from './i18n/use-words-of-server.ts';
import { ArrivalHandling } from './login/arrival-handling.tsx';
import { ExpiredDialog } from './session/expired-dialog.tsx';
import { fromRoot } from './session/redirect.ts';
import { RefusedTicketDialog } from './session/refused-ticket-dialog.tsx';
import { RequireLogin } from './session/require-login.tsx';
import { MainLayout } from './shell/main-layout.tsx';
import { ForbiddenPage, NotFoundPage } from './shell/message-pages.tsx';
import { Spinner } from './ui/spinner.tsx';
import { Toasts } from './ui/toast.tsx';

const LoginPage = lazy(async () => ({
  default: (await import('./login/login-page.tsx')).LoginPage,
}));
const ResetPage = lazy(async () => ({
  default: (await import('./login/reset-page.tsx')).ResetPage,
}));
const ReturnPage = lazy(async () => ({
  default: (await import('./login/return-page.tsx')).ReturnPage,
}));
const HomeRoute = lazy(async () => ({
  default: (await import('./routes/home-route.tsx')).HomeRoute,
}));
const RechargeRoute = lazy(async () => ({
  default: (await import('./routes/recharge-route.tsx')).RechargeRoute,
}));
const OrderRoute = lazy(async () => ({
  default: (await import('./routes/order-route.tsx')).OrderRoute,
}));
const AccountRoute = lazy(async () => ({
  default: (await import('./routes/account-route.tsx')).AccountRoute,
}));
const ReceiptRoute = lazy(async () => ({
  default: (await import('./routes/receipt-route.tsx')).ReceiptRoute,
}));

export function AppRoutes() {
  const { gameId } = useSiteConfig().gameInfo;
  useWordsOfServer();
  return (
    <Suspense fallback={<Spinner />}>
      <Routes>
        <Route path="/" element={<KeepQuery to="/main" state={fromRoot} />} />
        <Route element={<MainLayout />}>
          <Route path="/login" element={<LoginPage />} />
          <Route path="/login/reset" element={<ResetPage />} />
          <Route path={signInReturnPath} element={<ReturnPage />} />
          <Route path="/main" element={<RequireLogin />}>
            <Route index element={<KeepQuery to="/main/home" />} />
            {gameId === null ? (
              <Route path="*" element={<KeepQuery to="/403" />} />
            ) : (
              <>
                <Route path="home" element={<HomeRoute gameId={gameId} />} />
                <Route path="recharge" element={<RechargeRoute gameId={gameId} />} />
                <Route path="recharge/detail/:id" element={<OrderRoute />} />
                <Route path="recharge/receipt/:id" element={<ReceiptRoute />} />
                <Route path="account" element={<KeepQuery to={accountAddress} />} />
                <Route path="account/user" element={<AccountRoute gameId={gameId} />} />
              </>
            )}
          </Route>
          <Route path="/403" element={<ForbiddenPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
      <ExpiredDialog />
      <RefusedTicketDialog />
      <Toasts />
      {/* After the toasts, which it speaks through. */}
      <ArrivalHandling />
    </Suspense>
  );
}

/** Goes on to another page; what the address asks for goes along. */
function KeepQuery({ to, state }: { to: string; state?: unknown }) {
  const { search } = useLocation();
  return <Navigate to={to + search} state={state} replace />;
}
