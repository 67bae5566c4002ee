import { useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Target } from '../../entities/addresses/addresses.ts';
import { needParameter } from '../../entities/payment/need.ts';
import { errorText } from '../../shared/i18n/error-text.ts';
import { Alert } from '../../shared/ui/alert.tsx';
import { Boundary } from '../../shared/ui/boundary.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CurrencyNote, CurrencyPicker } from './currency-picker.tsx';
import { GamePacks, type GamePacksProps } from './game-packs.tsx';
import { goodsOf } from './price-breakdown.ts';
import { Rebates } from './rebates.tsx';
import { couponsQuery, rebatesQuery } from './recharge-queries.ts';
import './recharge-page.css';

// Loaded on demand: it is not the first tab, and has the same skeleton.
const PointPacks = lazy(async () => ({
  default: (await import('./point-packs.tsx')).PointPacks,
}));

interface RechargePageProps extends GamePacksProps {
  target: Target;
  hero: ReactNode;
}

export function RechargePage({ hero, target, ...game }: RechargePageProps) {
  const id = useId();
  return (
    <main className="recharge" id="main">
      {hero}
      <div className="recharge-body">
        <div className="recharge-choices">
          <Targets id={id} chosen={target} />
          <CurrencyPicker />
        </div>
        <CurrencyNote />
        <div
          className="recharge-shop"
          role="tabpanel"
          id={`${id}panel`}
          aria-labelledby={id + target}
        >
          {/* Keyed by target, so that the error of one tab is not shown for the other. */}
          <ShopBoundary key={target}>
            <Shop {...game} target={target} />
          </ShopBoundary>
        </div>
      </div>
    </main>
  );
}

/** The E Point top-up of a platform, which needs no game. */
export function PointsRechargePage({ hero }: { hero: ReactNode }) {
  return (
    <main className="recharge" id="main">
      {hero}
      <div className="recharge-body">
        <div className="recharge-choices">
          <CurrencyPicker />
        </div>
        <CurrencyNote />
        <div className="recharge-shop">
          <ShopBoundary>
            <Shop gameId="" character={null} server={null} target="epoint" />
          </ShopBoundary>
        </div>
      </div>
    </main>
  );
}

function ShopBoundary({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Boundary
      waiting={<ShopSkeleton />}
      failed={(error, retry) => (
        <div className="recharge-failed">
          <Alert title={t('recharge.itemsFailed')}>
            <p>{errorText(t, error)}</p>
          </Alert>
          <Button kind="secondary" onClick={retry}>
            {t('global.retry')}
          </Button>
        </div>
      )}
    >
      {children}
    </Boundary>
  );
}

const patienceMs = 700;

/** Packs and rebates. Waits briefly for the rebates, to avoid a layout shift. */
function Shop({ target, ...game }: GamePacksProps & { target: Target }) {
  const rebates = useQuery(rebatesQuery(game.gameId, target));
  const coupons = useQuery(couponsQuery(goodsOf(game.gameId, target)));
  const isPending = rebates.isPending || coupons.isPending;
  const [isPatient, setIsPatient] = useState(true);
  // A later refetch is not waited for.
  if (isPatient && !isPending) setIsPatient(false);
  useEffect(() => {
    if (!isPatient) return;
    const timer = setTimeout(() => setIsPatient(false), patienceMs);
    return () => clearTimeout(timer);
  }, [isPatient]);
  const isWaiting = isPending && isPatient;
  // A dozen packs render slowly: deferred, they are rendered in slices behind the skeleton.
  const isSkeleton = useDeferredValue(isWaiting);
  if (isWaiting || isSkeleton) return <ShopSkeleton />;
  const above = <Rebates gameId={game.gameId} target={target} />;
  return target === 'game' ? <GamePacks {...game} above={above} /> : <PointPacks above={above} />;
}

/** The top-up target from the address. */
export function useTarget(): Target {
  const [query] = useSearchParams();
  return query.get('to') === 'epoint' ? 'epoint' : 'game';
}

const targets = ['game', 'epoint'] as const satisfies Target[];

/** The tabs: arrow keys switch between them, the Tab key moves on to the packs. */
function Targets({ id, chosen }: { id: string; chosen: Target }) {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const choose = (target: Target) => {
    query.delete('item');
    query.delete(needParameter);
    if (target === 'game') query.delete('to');
    else query.set('to', target);
    setQuery(query, { replace: true, preventScrollReset: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = chosen === 'game' ? 'epoint' : 'game';
    choose(other);
    list.current?.querySelector<HTMLElement>(`[data-target=${other}]`)?.focus();
  };
  return (
    <div
      className="recharge-targets"
      role="tablist"
      aria-label={t('recharge.chooseTarget')}
      ref={list}
      onKeyDown={onKeyDown}
    >
      {targets.map((target) => (
        <button
          key={target}
          type="button"
          role="tab"
          id={id + target}
          data-target={target}
          aria-controls={`${id}panel`}
          aria-selected={target === chosen}
          tabIndex={target === chosen ? 0 : -1}
          onClick={() => choose(target)}
        >
          {t(`recharge.target.${target}`)}
        </button>
      ))}
    </div>
  );
}

export function ShopSkeleton() {
  return (
    <>
      <div className="recharge-packs" aria-hidden="true">
        <div className="pack-grid">
          {[1, 2, 3, 4, 5, 6].map((place) => (
            <div key={place} className="skeleton pack-skeleton" />
          ))}
        </div>
      </div>
      <div className="skeleton order-panel-skeleton" aria-hidden="true" />
    </>
  );
}
