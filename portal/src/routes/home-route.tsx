import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CharacterBar } from '../characters/character-bar.tsx';
import { gameQuery } from '../characters/character-queries.ts';
import { HomePage } from '../home/home-page.tsx';
import { RedeemBox } from '../redeem/redeem-box.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { HeroSkeleton } from '../ui/hero.tsx';

export function HomeRoute({ gameId }: { gameId: string }) {
  usePageTitle('titles.home');
  return (
    <PageBoundary waiting={<HeroSkeleton height="tall" />}>
      <Home gameId={gameId} />
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
      redeem={<RedeemBox character={game.character} characterBar={characterBar} />}
    />
  );
}
