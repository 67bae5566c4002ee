import type { OrderDetail } from '@pointgate/contract/orders.ts';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import * as z from 'zod/mini';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { GameLook } from '../../entities/games/game-look.tsx';
import { useGameTheme } from '../../entities/games/use-game-theme.ts';
import { useSiteConfig } from '../../shared/config/site-config.tsx';
import { BackLink } from '../../shared/ui/back-link.tsx';
import { KeyArt } from '../../shared/ui/hero.tsx';
import { OrderFacts } from './order-facts.tsx';
import { DisputeNotice, OrderRefunds } from './order-refunds.tsx';
import { OrderStatus } from './order-status.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { useOrder } from './use-order.ts';
import './order-page.css';

export function OrderPage({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation();
  const { recharge } = useAddresses();
  const live = useOrder(paymentId);
  const theme = useGameTheme(live.order.gameId);
  return (
    <GameLook theme={theme}>
      <main className="order-page" id="main">
        <KeyArt />
        <div className="order-body">
          <header className="order-head">
            <BackLink to={recharge({ target: 'game', gameId: live.order.gameId })}>
              {t('nav.recharge')}
            </BackLink>
            <h1>{t('order.title')}</h1>
          </header>
          <div className="order-main">
            <OrderStatus {...live} />
            <CodeToScan order={live.order} />
            <DisputeNotice order={live.order} />
            <OrderRefunds order={live.order} />
            <OrderTimeline order={live.order} />
          </div>
          <OrderFacts order={live.order} />
        </div>
      </main>
    </GameLook>
  );
}

const ScanCode = lazy(async () => ({
  default: (await import('../../entities/payment/scan-code.tsx')).ScanCode,
}));

/** The QR code of the payment that was just opened, for the phone of the player. */
function CodeToScan({ order }: { order: OrderDetail }) {
  const state = ScanState.safeParse(useLocation().state);
  const isOpen = order.shown === 'Unpaid' || order.shown === 'Processing';
  if (!state.success || !isOpen) return null;
  return (
    <Suspense fallback={null}>
      <ScanCode code={state.data.scan} method={order.method} />
    </Suspense>
  );
}

const ScanState = z.object({ scan: z.string() });

export function OrderSkeleton() {
  const { domainType } = useSiteConfig();
  return (
    <div className="order-page" aria-hidden="true">
      {/* On a platform the game, and so its art, is not known yet. */}
      {domainType === 0 && <KeyArt />}
      <div className="order-body">
        <div className="order-head" />
        <div className="order-main">
          <div className="skeleton order-status-skeleton" />
        </div>
        <div className="skeleton order-facts-skeleton" />
      </div>
    </div>
  );
}
