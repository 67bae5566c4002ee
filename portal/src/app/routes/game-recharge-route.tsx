import { Slug } from '@pointgate/contract/names.ts';
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useAddresses } from '../../entities/addresses/addresses.ts';
import { GameLook } from '../../entities/games/game-look.tsx';
import { gamesQuery } from '../../entities/games/game-queries.ts';
import { useToLink } from '../../entities/session/to-link.ts';
import { rememberSystem, useSystem } from '../../entities/session/use-system.ts';
import { rememberGame } from '../../features/game-hub/last-game.ts';
import { NotOnSystem } from '../../features/game-hub/not-on-system.tsx';
import { SystemChoice } from '../../features/game-hub/system-choice.tsx';
import { UnknownGame } from '../../features/game-hub/unknown-game.tsx';
import { BackLink } from '../../shared/ui/back-link.tsx';
import { PageBoundary } from '../shell/page-boundary.tsx';
import { GameTopUp, RechargeSkeleton } from './recharge-route.tsx';

/** The top-up page of a game on a platform, in the theme of the game. */
export function GameRechargeRoute() {
  const { gameId = '' } = useParams();
  usePrefetchQuery(gamesQuery);
  // A malformed game id from the address is not requested.
  if (!Slug.safeParse(gameId).success) return <UnknownGame />;
  return (
    <PageBoundary waiting={<RechargeSkeleton hasArt={false} />}>
      <GameRecharge gameId={gameId} />
    </PageBoundary>
  );
}

function GameRecharge({ gameId }: { gameId: string }) {
  const { data: games } = useSuspenseQuery(gamesQuery);
  const system = useSystem();
  const game = games.find((each) => each.gameId === gameId);
  const isThere = game !== undefined;
  useEffect(() => {
    if (!isThere) return;
    rememberGame(gameId);
    rememberSystem(system);
  }, [isThere, gameId, system]);
  if (game === undefined) return <UnknownGame />;
  return (
    <GameLook theme={game.theme}>
      {game.systems.includes(system) ? (
        <GameTopUp gameId={gameId} heroTop={<WayBack />} />
      ) : (
        <NotOnSystem game={game} system={system} top={<WayBack />} />
      )}
    </GameLook>
  );
}

function WayBack() {
  const { t } = useTranslation();
  const { home } = useAddresses();
  const toLink = useToLink();
  return (
    <>
      <BackLink to={toLink(home)}>{t('platform.allGames')}</BackLink>
      <SystemChoice />
    </>
  );
}
