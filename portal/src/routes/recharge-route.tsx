import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CharacterBar } from '../characters/character-bar.tsx';
import { gameQuery } from '../characters/character-queries.ts';
import { BalanceBar } from '../recharge/balance-bar.tsx';
import { RechargePage, ShopSkeleton, useTarget } from '../recharge/recharge-page.tsx';
import { itemGroupsQuery, pointPacksQuery, rebatesQuery } from '../recharge/recharge-queries.ts';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { Hero, HeroSkeleton } from '../ui/hero.tsx';

export function RechargeRoute({ gameId }: { gameId: string }) {
  usePageTitle('titles.recharge');
  usePrefetchQuery(itemGroupsQuery(gameId));
  usePrefetchQuery(pointPacksQuery);
  usePrefetchQuery(rebatesQuery(gameId, useTarget()));
  return (
    <PageBoundary waiting={<RechargeSkeleton />}>
      <Recharge gameId={gameId} />
    </PageBoundary>
  );
}

function Recharge({ gameId }: { gameId: string }) {
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
        <Hero title={game.name} subtitle={game.subtitle} height="short">
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

function RechargeSkeleton() {
  return (
    <div className="recharge">
      <HeroSkeleton height="short" />
      <div className="recharge-body">
        <div className="skeleton recharge-targets-skeleton" aria-hidden="true" />
        <div className="recharge-shop">
          <ShopSkeleton />
        </div>
      </div>
    </div>
  );
}
