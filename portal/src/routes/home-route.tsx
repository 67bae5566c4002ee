import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CharacterBar } from '../characters/character-bar.tsx';
import { gameQuery } from '../characters/character-queries.ts';
import { pageQuery } from '../content/page-query.ts';
import { HomePage, HomeSkeleton } from '../home/home-page.tsx';
import { HotNews, HotNewsSkeleton } from '../news/hot-news.tsx';
import { topNewsQuery } from '../news/news-queries.ts';
import { PackStrip, PackStripSkeleton } from '../recharge/pack-strip.tsx';
import { itemGroupsQuery } from '../recharge/recharge-queries.ts';
import { useCurrency } from '../recharge/use-currency.ts';
import { RedeemBox } from '../redeem/redeem-box.tsx';
import { useSystem } from '../session/use-system.ts';
import { Footer } from '../shell/footer.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { loadCleaner } from '../ui/rich-text.tsx';

export function HomeRoute({ gameId }: { gameId: string }) {
  usePageTitle('titles.home');
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
