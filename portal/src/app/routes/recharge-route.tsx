import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CharacterBar } from '../../entities/characters/character-bar.tsx';
import { gameQuery } from '../../entities/characters/character-queries.ts';
import { useSystem } from '../../entities/session/use-system.ts';
import { BalanceBar } from '../../features/recharge/balance-bar.tsx';
import { goodsOf } from '../../features/recharge/price-breakdown.ts';
import { RechargePage, ShopSkeleton, useTarget } from '../../features/recharge/recharge-page.tsx';
import {
  couponsQuery,
  itemGroupsQuery,
  pointPacksQuery,
  rebatesQuery,
} from '../../features/recharge/recharge-queries.ts';
import { useCurrency } from '../../features/recharge/use-currency.ts';
import { useSiteGame } from '../../shared/config/site-config.tsx';
import { Hero, HeroSkeleton } from '../../shared/ui/hero.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';

/** The top-up page of a single-game site. */
export function RechargeRoute() {
  return <GameTopUp gameId={useSiteGame()} />;
}

interface GameTopUpProps {
  gameId: string;
  /** Rendered at the upper edge of the key art. */
  heroTop?: ReactNode;
}

export function GameTopUp({ gameId, heroTop }: GameTopUpProps) {
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

function Recharge({ gameId, heroTop }: GameTopUpProps) {
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
