import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CharacterBar } from '../characters/character-bar.tsx';
import { gameQuery } from '../characters/character-queries.ts';
import { BalanceBar } from '../recharge/balance-bar.tsx';
import { goodsOf } from '../recharge/deal.ts';
import { RechargePage, ShopSkeleton, useTarget } from '../recharge/recharge-page.tsx';
import {
  couponsQuery,
  itemGroupsQuery,
  pointPacksQuery,
  rebatesQuery,
} from '../recharge/recharge-queries.ts';
import { useCurrency } from '../recharge/use-currency.ts';
import { useSystem } from '../session/use-system.ts';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { Hero, HeroSkeleton } from '../ui/hero.tsx';

interface RechargeRouteProps {
  gameId: string;
  /** Rendered at the upper edge of the key art. */
  heroTop?: ReactNode;
}

export function RechargeRoute({ gameId, heroTop }: RechargeRouteProps) {
  usePageTitle('titles.recharge');
  const system = useSystem();
  const target = useTarget();
  const { asked: currency } = useCurrency();
  usePrefetchQuery(itemGroupsQuery({ gameId, system, currency }));
  usePrefetchQuery(pointPacksQuery(system, currency));
  usePrefetchQuery(rebatesQuery(gameId, target));
  usePrefetchQuery(couponsQuery(goodsOf(gameId, target)));
  return (
    <PageBoundary waiting={<RechargeSkeleton />}>
      <Recharge gameId={gameId} heroTop={heroTop} />
    </PageBoundary>
  );
}

function Recharge({ gameId, heroTop }: RechargeRouteProps) {
  const { t } = useTranslation();
  const target = useTarget();
  const { data: game } = useSuspenseQuery(gameQuery(gameId));
  const [server, setServer] = useState(game.character?.server ?? null);
  return (
    <RechargePage
      gameId={gameId}
      target={target}
      character={game.character}
      server={server}
      hero={
        <Hero title={game.name} subtitle={game.subtitle} height="short" top={heroTop}>
          <p className="hero-lead wide-only">
            {t(target === 'game' ? 'recharge.lead' : 'recharge.leadPoints')}
          </p>
          {target === 'game' ? (
            <CharacterBar
              gameId={gameId}
              character={game.character}
              server={server}
              onServer={setServer}
            />
          ) : (
            <BalanceBar />
          )}
        </Hero>
      }
    />
  );
}

export function RechargeSkeleton({ hasArt = true }: { hasArt?: boolean }) {
  return (
    <div className="recharge">
      <HeroSkeleton height="short" hasArt={hasArt} />
      <div className="recharge-body">
        <div className="skeleton recharge-targets-skeleton" aria-hidden="true" />
        <div className="recharge-shop">
          <ShopSkeleton />
        </div>
      </div>
    </div>
  );
}
