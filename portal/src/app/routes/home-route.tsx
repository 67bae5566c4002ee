import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CharacterBar } from '../../entities/characters/character-bar.tsx';
import { gameQuery } from '../../entities/characters/character-queries.ts';
import { pageQuery } from '../../entities/publisher-pages/page-query.ts';
import { useSystem } from '../../entities/session/use-system.ts';
import { HomePage, HomeSkeleton } from '../../features/home/home-page.tsx';
import { HotNews, HotNewsSkeleton } from '../../features/news/hot-news.tsx';
import { topNewsQuery } from '../../features/news/news-queries.ts';
import { PackStrip, PackStripSkeleton } from '../../features/recharge/pack-strip.tsx';
import { itemGroupsQuery } from '../../features/recharge/recharge-queries.ts';
import { useCurrency } from '../../features/recharge/use-currency.ts';
import { RedeemBox } from '../../features/redeem/redeem-box.tsx';
import { useSiteGame } from '../../shared/config/site-config.tsx';
import { loadCleaner } from '../../shared/ui/rich-text.tsx';
import { Footer } from '../shell/footer.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';

export function HomeRoute() {
  const gameId = useSiteGame();
  // All requests start at once: each section waits only for its own.
  const system = useSystem();
  const { asked: currency } = useCurrency();
  usePrefetchQuery(itemGroupsQuery({ gameId, system, currency }));
  usePrefetchQuery(topNewsQuery);
  usePrefetchQuery(pageQuery('game-features'));
  usePrefetchQuery(pageQuery('game-info'));
  void loadCleaner();
  return (
    <PageBoundary
      waiting={<HomeSkeleton packs={<PackStripSkeleton />} news={<HotNewsSkeleton />} />}
    >
      <Home gameId={gameId} />
      <Footer />
    </PageBoundary>
  );
}

function Home({ gameId }: { gameId: string }) {
  const { data: game } = useSuspenseQuery(gameQuery(gameId));
  const [server, setServer] = useState(game.character?.server ?? null);
  const characterBar = (
    <CharacterBar gameId={gameId} character={game.character} server={server} onServer={setServer} />
  );
  return (
    <HomePage
      game={game}
      characterBar={characterBar}
      packs={<PackStrip gameId={gameId} />}
      redeem={<RedeemBox character={game.character} characterBar={characterBar} />}
      news={<HotNews />}
    />
  );
}
